/** Phrases that give orders to a model. */
export interface InjectionPattern {
  /** Patterns of what every such phrase has, and few other texts; each begins with the character it stands for. */
  signs: string[];
  phrase: RegExp;
}

/** What may stand between two words of one sentence. */
export const GAP = String.raw`[^.!?。！？।\n]{0,60}?`;

/** All in small letters. */
export function injectionPattern(signs: string[], ...phrases: string[]): InjectionPattern {
  return { signs, phrase: new RegExp(phrases.join("|"), "gmu") };
}

const RULES =
  "instructions?|prompts?|rules|directions|directives?|guidelines|messages|commands?|context|constraints|safeguards";
const OWN = "system|developer|your|you (?:were|have been) (?:given|told)";
const ANSWER =
  "(?:your|every|each|all|any) (?:next |final )?(?:answers?|repl(?:y|ies)|responses?|outputs?)";
const MODEL =
  "(?:ai|a\\.i\\.|llm|language model|chatbot|chatgpt|gpt|claude|gemini|copilot|ai assistant|ai model|assistant|model)";

export const ENGLISH: InjectionPattern[] = [
  injectionPattern(
    [
      "ignore",
      "disregard",
      "forget",
      "override",
      "overrule",
      "bypass",
      "discard",
      "stop following",
      "do not follow",
    ],
    `(?<!\\bnot |n't |never )\\b(?:ignore|disregard|forget|override|overrule|bypass|discard|stop following|do not follow)\\s+(?:\\S+\\s+){0,4}?(?:previous|prior|above|earlier|preceding|foregoing|system|original|initial|developer)\\s+(?:\\S+\\s+){0,2}?(?:${RULES})`,
    `(?<!\\bnot |n't |never )\\b(?:ignore|disregard|forget|override|bypass)\\s+(?:absolutely\\s+)?(?:all|any|everything|anything|whatever)\\s+(?:of\\s+|the\\s+|your\\s+|other\\s+)*(?:${RULES}|you (?:were|have been) (?:told|given)|above|before this|that came before|said so far)`,
    "\\b(?:ignore|disregard|discard) (?:all )?(?:the )?(?:other|remaining) (?:numbered )?(?:sources|documents|passages)",
  ),
  injectionPattern(
    [
      "supersede",
      "overrid",
      "takes precedence",
      "outrank",
      "this \\w+ replaces",
      "rules (?:above|before|given|you|are|have)",
      "instructions (?:above|before|given|you|are|have)",
      "prompts? (?:above|is|are|has)",
      "guidelines (?:above|before|given|you)",
    ],
    `(?:${OWN}) (?:${RULES}) (?:above |so far )?(?:are|is|were|have been|has been) (?:now |hereby |all )*(?:replaced|superseded|overridden|void|revoked|cancelled|no longer)`,
    `(?:${RULES}) (?:above|before this|given (?:above|earlier|before)|you were given) (?:are|is|were|have been|has been) (?:now |hereby |all )*(?:replaced|superseded|overridden|void|revoked|cancelled|no longer)`,
    `this (?:document|source|text|passage|section|page) (?:overrides|supersedes|replaces|takes precedence over|outranks) (?:all|any|every|the|your)\\b`,
  ),
  injectionPattern(
    [
      "you are now",
      "from now on",
      "developer mode",
      "god mode",
      "admin mode",
      "debug mode",
      "do anything now",
      "jailbr",
      "pretend",
      "role-?play",
      "act as",
    ],
    "you are now (?:a|an|in|no longer|dan|called|the)\\b(?! (?:able|position|good|better))",
    "from now on,? you (?:are|will (?:be|act|answer|respond|reply|speak)|must (?:answer|respond|reply|act|speak|cite|say)|answer|respond|speak)",
    "(?:developer|god|admin|debug) mode (?:is |has been )?(?:now )?(?:enabled|activated|on)\\b|\\bdo anything now\\b|\\bjailbroken\\b",
    `(?:pretend|role-?play|act as)${GAP}(?:no (?:rules|restrictions|limits|filters)|unrestricted|unfiltered|without (?:any )?(?:rules|restrictions|filters))`,
  ),
  injectionPattern(
    ["system prompt", "initial prompt", "hidden prompt"],
    "(?:your|my|reveal|print|show|repeat|output|leak|whole|entire|full) (?:me )?(?:the |your )?(?:system|initial|hidden) prompt\\b",
    "\\bsystem prompt\\s*:",
  ),
  injectionPattern(
    ["the user"],
    `(?:do not|don't|never|without) (?:tell|inform|telling|informing|reveal\\w*|mention\\w*|show\\w*|warn\\w*|alert\\w*)(?:\\s+\\S+){0,4}? (?:to )?the user`,
    `(?:when|if|whenever|once) the user${GAP}(?:asks?|mentions?|wants?)${GAP}(?:say|answer|reply|respond|tell|claim|state|write|recommend)`,
    "(?:tell|instruct|ask|urge|convince) the user (?:to|that|for)\\b",
    `(?:send|forward|post|append|transmit|leak|encode|put)${GAP}the user'?s? (?:last |own |original )?(?:question|message|data|name|e-?mail|conversation|input|password)`,
  ),
  injectionPattern(
    [
      "new (?:system |hidden |secret )?instruction",
      "updated (?:system )?instruction",
      "secret instruction",
      "hidden instruction",
      "revised instruction",
      "system[ _-]override",
      "system (?:instruction|message|notice|note|update|prompt)",
      "system[\\])>|*]*\\s*:",
      "developer[ \\])>|*:]",
      "admin(?:istrator)?[ \\])>|*:]",
    ],
    "(?:\\bnew|updated|secret|hidden|revised|system) (?:system |hidden |secret )?instructions?\\s*(?::|follow\\b)",
    "^[ \\t#>*[(<|=-]*(?:system|developer|admin(?:istrator)?) ?(?:message|override|notice|note|update|prompt)?[\\])>|*]*\\s*:\\s*(?:you|ignore|disregard|the (?:assistant|rules|above)|from|new|all|answer|respond|override|reveal|cite)",
    "\\bsystem[ _-]override\\b",
  ),
  injectionPattern(
    [
      "ai\\b",
      "a\\.i\\.",
      "llms?\\b",
      "language model",
      "chatbot",
      "chatgpt",
      "gpt\\b",
      "claude\\b",
      "gemini\\b",
      "copilot\\b",
      "assistants?\\b",
      "the model\\b",
      "any model\\b",
      "to all models",
    ],
    `(?:dear|attention|note to|notice to|message (?:for|to)|instructions? (?:for|to)|hey|hello|to),? (?:the |any |all |every )?${MODEL}s?(?: (?:reading|processing|summari[sz]ing|answering|that reads?|who reads?)|\\s*[:,!](?!\\w))`,
    `(?:if|when|since|because) you are (?:a |an |the )?(?:large )?${MODEL}\\b`,
    `as (?:a|an|the) (?:large )?${MODEL},? you (?:must|should|will|are|shall)`,
    `(?:any|all|every|the) ${MODEL}s? (?:reading|processing|summari[sz]ing|that reads?|who reads?) this`,
  ),
  injectionPattern(
    [
      "your (?:next |final )?(?:answer|repl|respon|output)",
      "every (?:answer|repl|respon|output)",
      "each (?:answer|repl|respon|output)",
      "all (?:answers|repl|respon|output)",
      "any (?:answer|repl|respon|output)",
      "answer (?:with|only|always|excl|just|from|in|by|as|that)",
      "reply (?:with|only|always|excl|just|from|in|by|as|that)",
      "respond (?:with|only|always|excl|just|from|in|by|as|that)",
    ],
    `(?:include|insert|append|add|put|embed|place|render|mention|write|repeat|show|quote|attach|begin|start|end|finish|open|close|prefix)${GAP}(?:in|into|to|with|at the (?:end|beginning|start|top|bottom) of) ${ANSWER}`,
    `(?:begin|start|end|finish|open|close|prefix) ${ANSWER} with`,
    `(?:answer|reply|respond) (?:only|always|exclusively|just|from now on) (?:with|in|by|as|that)\\b`,
    `(?:always|only|must) (?:answer|reply|respond) (?:with|in|by|as|that|only)\\b`,
  ),
  injectionPattern(
    ["cite (?:this|it|source|only|every|the p|any|other|the other|real)"],
    "(?:always|only|must|exclusively|you should) cite (?:this|it|source|only|the present)",
    "cite (?:it|this|this (?:source|document|text|page|passage)|everything) (?:as|with|under) (?:the number|number|source|\\[|\\(|\\d)",
    "(?:never|do not|don't) cite (?:any )?(?:other|the other|real)",
  ),
  injectionPattern(
    [
      "this (?:conversation|chat)",
      "the (?:conversation|chat|whole|entire)",
      "our (?:conversation|chat)",
      "previous (?:conversation|chat)",
      "api keys?\\b",
      "password",
      "credential",
    ],
    `(?:send|forward|post|upload|append|transmit|exfiltrate|leak|encode|submit)${GAP}(?:(?:this|the|whole|entire|our|previous) (?:conversation|chat)(?! about)|api keys?|passwords?|credentials)${GAP}(?:to|at|in|as|into|with)\\b`,
  ),
  injectionPattern(
    [
      "<\\|",
      "<｜",
      "</?(?:start|end)_of",
      "</?(?:tool|function)_",
      "<</?sys",
      "\\[/?inst\\]",
      "\\[/?system_prompt",
      "### ?(?:instr|sys|resp)",
      "human:",
    ],
    "<\\|(?:im_start|im_end|im_sep|system|user|assistant|end|endoftext|begin_of_text|start_header_id|end_header_id|eot_id|eom_id|start|message|channel|return|call|endofprompt|start_of_role|end_of_role|start_of_turn_token|end_of_turn_token)\\|>|<｜[^｜\\n]{1,30}｜>|</?(?:start|end)_of_turn>|\\[/?inst\\]|<</?sys>>|\\[/?system_prompt\\]|</?(?:tool_call|tool_response|function_calls?)>",
    "^### ?(?:instructions?|system|response)\\s*:?\\s*$",
    "^human:[\\s\\S]{1,400}?^assistant:",
  ),
  injectionPattern(
    ["1gn[o0]r", "ign0r", "ignor3", "1gnor", "i[ ._-]g[ ._-]n"],
    `\\b(?=\\w{0,5}\\d)[i1]gn[o0]r[e3]\\s+(?:[a4][l1]{2}\\s+)?(?:y[o0]ur\\s+|th[e3]\\s+)?pr[e3]v[i1][o0]us`,
    "\\bi([ ._-])g\\1n\\1o\\1r\\1e\\b",
  ),
  // The same in reverse, and turned by thirteen letters.
  injectionPattern(
    ["erongi", "drager"],
    "(?:snoitcurtsni|selur|stpmorp)\\s+(?:\\S+\\s+){0,4}?(?:erongi|dragersid)",
  ),
  injectionPattern(
    ["vtaber", "qvfertneq"],
    "(?:vtaber|qvfertneq)\\s+(?:\\S+\\s+){0,4}?(?:vafgehpgvba|ehyr|cebzcg)",
  ),
];
