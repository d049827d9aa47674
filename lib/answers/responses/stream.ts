import type { ChoiceProcessor } from "@/lib/answers/chat/choice-processor";
import type { AppError } from "@/lib/errors";
import type { CompletionChunk, ModelUsage } from "@/lib/models/schema";
import type { EventBody, ResponseEvent } from "./events";
import { type AnswerEvidence, evidenceOf, ownFieldsOf, textsOf, toSearchItems } from "./evidence";
import { completedAt, endingOf, type Frame, suffixOf, toFrame, toResponseUsage } from "./output";
import type { ItemStatus, ResponseObject, SearchItem } from "./response-schema";
import { StreamedOutput } from "./stream-output";

/** Turns the chunks of a completion into the events of a response, which ends as the plain one would. */
export class ResponseEvents {
  #sequence = 0;
  #started: ResponseObject | null = null;
  #evidence: AnswerEvidence;
  readonly #output: StreamedOutput;
  #model = "";
  #finish = "stop";
  #usage: ModelUsage | null = null;

  constructor(
    private readonly frame: Frame,
    private readonly choices: ChoiceProcessor,
  ) {
    const { found, retrieval } = choices;
    this.#evidence = { retrieval, citations: found, annotations: [], verification: null };
    this.#output = new StreamedOutput(suffixOf(choices.id), {
      first: this.#searchItems().length,
      tools: frame.settings.tools,
    });
  }

  accept(chunk: CompletionChunk): ResponseEvent[] {
    const opening = this.#started ? [] : this.#open(chunk);
    // A stream may begin before a fallback is asked.
    this.#model = chunk.model;
    this.#usage = chunk.usage ?? this.#usage;
    const [choice] = chunk.choices;
    const said = choice ? this.#output.accept(choice.delta) : [];
    if (choice?.finish_reason) {
      this.#finish = choice.finish_reason;
      const { retrieval } = this.choices;
      this.#evidence = { ...evidenceOf(chunk, choice.delta), retrieval };
    }
    return this.#number([...opening, ...said]);
  }

  /** The end of every item, and of the response. */
  end(): ResponseEvent[] {
    const ending = endingOf(this.#finish);
    const isWhole = ending.status === "completed";
    const status = isWhole ? "completed" : "incomplete";
    const opening = this.#output.release();
    const closing = this.#output.close(this.#output.items(status, this.#evidence.annotations));
    const response = {
      ...this.#response(status),
      ...ending,
      completed_at: completedAt(ending, this.frame),
    };
    const type = isWhole ? "response.completed" : "response.incomplete";
    return this.#number([
      ...opening,
      ...this.#searchItems().map(toSearchDone),
      ...closing,
      { type, response },
    ]);
  }

  /** A failure after the start: the response as far as it got, and the error. */
  fail({ code, message, type, param }: AppError): ResponseEvent[] {
    const error = { code: toResponseErrorCode(code), message, type, param };
    const failed: EventBody[] = this.#started
      ? [
          {
            type: "response.failed",
            response: { ...this.#response("incomplete"), status: "failed", error },
          },
        ]
      : [];
    // Clients that only read events would take a failed response for an answer.
    return this.#number([...failed, { type: "error", code, message, param }]);
  }

  #number(bodies: readonly EventBody[]): ResponseEvent[] {
    return bodies.map((body) => {
      const event = { ...body, sequence_number: this.#sequence };
      this.#sequence += 1;
      return event;
    });
  }

  #open({ id, created, model }: CompletionChunk): EventBody[] {
    const response = {
      ...toFrame({ id, created, model }, this.frame),
      ...ownFieldsOf(this.#evidence),
    };
    this.#started = response;
    return [
      { type: "response.created", response },
      { type: "response.in_progress", response },
      ...this.#searchItems().flatMap(toSearchEvents),
    ];
  }

  #searchItems(): SearchItem[] {
    const texts = this.frame.includesResults ? textsOf(this.choices) : null;
    return toSearchItems(suffixOf(this.choices.id), this.#evidence, texts);
  }

  #response(status: ItemStatus): ResponseObject {
    const { id, warnings } = this.choices;
    return {
      ...(this.#started ?? toFrame({ id, created: 0, model: "" }, this.frame)),
      model: this.#model,
      output: [...this.#searchItems(), ...this.#output.items(status, this.#evidence.annotations)],
      usage: this.#usage && toResponseUsage(this.#usage),
      ...ownFieldsOf(this.#evidence),
      ...(warnings.length > 0 && { warnings }),
    };
  }
}

/** The search is over when a stream begins, and its item ends with the answer, whose verdicts its results have. */
function toSearchEvents(item: SearchItem, output_index: number): EventBody[] {
  const place = { item_id: item.id, output_index };
  const begun: SearchItem = { ...item, status: "in_progress" };
  return [
    { type: "response.output_item.added", output_index, item: begun },
    { type: "response.file_search_call.in_progress", ...place },
    { type: "response.file_search_call.searching", ...place },
    { type: "response.file_search_call.completed", ...place },
  ];
}

function toSearchDone(item: SearchItem, output_index: number): EventBody {
  return { type: "response.output_item.done", output_index, item };
}

function toResponseErrorCode(code: AppError["code"]): NonNullable<ResponseObject["error"]>["code"] {
  switch (code) {
    case "rate_limit_exceeded":
      return code;
    case "invalid_request":
    case "context_length_exceeded":
      return "invalid_prompt";
    default:
      return "server_error";
  }
}
