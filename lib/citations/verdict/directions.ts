/** Words with an opposite, each with the axis it stands on: "increase" and "fall" are + and − of one. */
export interface Direction {
  axis: string;
  sign: 1 | -1;
}

/** "axis: words of one direction / words of the other". */
export const DIRECTIONS: readonly string[] = [
  "amount: increase raise rise rose risen elevate elevation high higher highest great greater greatest more most " +
    "upregulate upregulation enhance enhancement augment augmentation amplify boost expand expansion grow " +
    "accumulate accumulation gain overexpress overexpression large larger excess excessive intensify strengthen " +
    "stronger overestimate abundant abundance enrich elevates heavier longer lengthen prolong prolonged extend hyper / decrease decline reduce reduction reduced low " +
    "lower lowest lowering less least fewer diminish downregulate downregulation attenuate attenuation fall fell " +
    "fallen drop deplete depletion lose loss shrink minimize weaken weaker small smaller shorten shorter dampen " +
    "curtail lessen scarce underestimate deficiency deficient deficit hypo slow slower slows",
  "drive: promote promotion induce induction activate activation stimulate stimulation facilitate support " +
    "trigger enable mediate cause encourage potentiate drive accelerate / inhibit inhibition inhibitor inhibitory suppress suppression block blockade " +
    "prevent prevention impede hinder inactivate inactivation repress repression abolish abrogate " +
    "antagonize disrupt disruption abrogates discourage silence",
  "quality: improve improvement better best benefit beneficial ameliorate rescue restore restoration alleviate favorable favourable / worsen worse " +
    "worst worsening deteriorate deterioration exacerbate exacerbation aggravate harm harmful detrimental impair " +
    "impairment impaired unfavorable unfavourable adverse adversely poor poorer",
  "sign: positive positively positivity / negative negatively negativity",
  "safety: safe safety safely harmless / unsafe dangerous hazardous",
  "advice: indicated recommended advisable / contraindicated contraindication inadvisable",
  "response: sensitive sensitivity susceptible susceptibility sensitize / resistant resistance refractory",
  "order: before prior precede preceding / after following subsequent subsequently",
  "stage: early earlier earliest / late later latest delayed",
  "course: acute / chronic",
  "nature: benign / malignant",
  "side: agonist / antagonist",
  "start: start begin initiate initiation commence / stop discontinue discontinuation cease cessation withdraw withdrawal",
  "sameness: same similar similarly equal equally identical comparable / different differ difference differently " +
    "unequal distinct",
  "spread: common commonly frequent frequently often widespread / rare rarely infrequent infrequently uncommon " +
    "seldom",
  "extent: maximum maximal maximally / minimum minimal minimally",
  "protection: protect protective protection / predispose predisposition vulnerable vulnerability",
  "half: upper / nether",
  "hand: left / right",
  "share: majority / minority",
  "vitality: alive survive survival / dead die death mortality",
];
