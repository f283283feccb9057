"""Every promise of the product: id, state, sentence. A `tested` id has a test; tests may name no other id.

P = the method, B = the harness, E = gaps of earlier harnesses, D = decisions where the sources are silent, X = beyond.
A state other than `tested` is the theme of the work that the promise waits for. `test_requirements.py` holds both
directions and prints the counts.
"""

import re
from typing import NamedTuple


class Requirement(NamedTuple):
    """One promise: `tested`, or the theme it waits for."""

    state: str
    sentence: str


_MANIFEST = """\
P1 [tested] f1(q) in {0,1}: does the query need a tool at all.
P2 [tested] f2(q, t, d_t) in {0,1}: does target tool t (with description d_t) support the requested capability;
    decided independently for every pair (q, t).
P3 [tested] f3(q, t, d_t, S_t) in Theta_t or ⊥: a schema-valid invocation, or abstention when the query lacks
    information for the required arguments.
P4 [tested] Keep apart: description d_t, argument schema S_t, valid argument space Theta_t, unconstrained candidate
    space (what a model may actually emit).
P5 [tested] Annotation y = (l1, l2, theta*).
P6 [tested] Exactly four label shapes: (0,0,⊥) tool unnecessary; (1,0,⊥) target irrelevant; (1,1,⊥) relevant but
    underspecified; (1,1,theta) valid invocation.
P7 [tested] l2 = 0 by convention when l1 = 0 ('not assessed'); any other combination is unrepresentable, not merely
    rejected late.
P8 [tested] One pipeline for real and synthetic queries; origin is kept.
P9 [tested] Only queries positive at levels 1 and 2 get proposals: M generators independently propose complete
    invocations.
P10 [tested] At round k generator m emits z_m^(k): an unconstrained argument assignment or ⊥.
P11 [tested] Proposals are judged whole; fields of different proposals are never mixed.
P12 [tested] Order for an executable proposal: deterministic schema validation -> argument evaluator S_arg (supported
    by the query, consistent with the tool's semantics) -> execution through MCP -> only on a valid response the
    separate result evaluator S_out.
P13 [tested] s = lambda_arg*S_arg + lambda_out*S_out, both scores in [0,1], weights >= 0 and summing to 1; s in [0,1];
    anything else is a configuration error.
P14 [tested] Ineligible: schema violation, execution error, timeout, empty response. Their traces are kept for
    refinement.
P15 [tested] Abstentions are not executed; the argument evaluator decides whether missing information or unsupported
    capability precludes a call; a justified abstention is eligible with a calibrated score.
P16 [tested] Same score range and same threshold tau for both proposal types.
P17 [tested] Generation and evaluation are separate roles; same model in both is recorded as a bias warning and can be
    refused by configuration.
P18 [tested] Each round: highest-scoring eligible proposal; score >= tau makes it gold.
P19 [tested] Otherwise all proposals and evidence (evaluator assessments, validation errors, observed execution
    outcomes) go into the refinement history given to every generator next round.
P20 [tested] Stop on acceptance or after R_max rounds; not accepted = rejected with its history. Running out of turns
    never accepts.
P21 [tested] Scenario catalog derived from each tool's description (and schema, executable interface, capability
    boundaries).
P22 [tested] Trigger scenarios: supported requests that should invoke the tool.
P23 [tested] Exclusion scenarios: Type A needs no tool, Type B needs another tool (look-alike), Type C exceeds the
    target's capabilities.
P24 [tested] Every verified example has one primary scenario for accounting; other matches are auxiliary tags.
P25 [tested] Coverage unit = scenario x difficulty.
P26 [tested] Positive difficulty = minimum inference depth: 0 / 1 / >= 2 steps -> easy / medium / hard.
P27 [tested] Negative construction target d_syn: Type A domain distance, Type B surface similarity, Type C
    capability-boundary evidence.
P28 [tested] Deficit Delta_r(u) = max(0, b(u) - n_r(u)); synthesize only where it is positive.
P29 [tested] Candidates are filtered (duplicates, near-duplicates, answer leaks, off-scenario) and return to Stage I.
P30 [tested] Verified positives keep inference difficulty; verified negatives run K times on a frozen reference
    router: p_K(x) = share of runs whose label equals y(x).
P31 [tested] d_beh: hard if p_K = 0, medium if 0 < p_K < 1, easy if p_K = 1.
P32 [tested] Calibrated difficulty below target -> recognition evidence (why the router saw through it) is used
    to strengthen the negative, then verify and calibrate again.
P33 [tested] Only verified examples count, in the unit of their observed difficulty.
P34 [tested] Stage I returns annotations, execution evidence and failure traces; Stage II updates coverage,
    synthesizes, strengthens.
P35 [tested] Stop reasons, each named in the result: all budgets met; gain below a threshold for L consecutive rounds;
    synthesis budget exhausted.
P36 [tested] Every accepted example links to the coverage gap it filled, its full verification record and its
    calibrated difficulty.
P37 [tested] No particular router architecture is required: anything that answers (query, tools) can be router,
    generator or model under test.
P38 [tested] Input: predicted calls, human-verified gold calls, query; gold is the only anchor.
P39 [tested] The query may explain equivalence; it never extends or overrides gold.
P40 [tested] Hierarchy: tool alignment -> argument filtering -> semantic verification; only comparable calls reach
    argument comparison, so a wrong tool is never a parameter error.
P41 [tested] Plausible is not correct.
P42 [tested] Exact match is not enough: equivalent surface forms are equal.
P43 [tested] The judge's justification decides the parameter subtype. The judge's output is parsed strictly; an
    unreadable verdict is a judge failure.
P44 [tested] A positive query succeeds only if every required tool is recalled and all arguments are right; partial is
    failure.
P45 [tested] TP, FN (missing tool, wrong argument, judge failure).
P46 [tested] Targeted negative: designated target invoked -> FP, else TN.
P47 [tested] Global negative: any call -> FP, none -> TN.
P48 [tested] Both_empty excluded and counted.
P49 [tested] Recall = TP/(TP+FN); Accuracy = (TP+TN)/(TP+FN+TN+FP).
P50 [tested] Mutually exclusive category per failed query: miss recall, parameter error, over recall; judge failure
    apart.
P51 [tested] Parameter subtypes: temporal, missing argument, incorrect value.
P52 [tested] FN = miss + parameter + judge failures; FP = over recall.
P53 [tested] Miss, Param, Temp, Missing, Value are normalized by the number of positives; Over by the number of
    negatives.
P54 [tested] Table 1: models x difficulty distributions (original 0.40/0.40/0.20, easy-weighted 0.60/0.30/0.10):
    Recall, Acc., Miss, Param., Over, Temp., Missing, Value.
P55 [tested] Figure 3: Recall by difficulty per model.
P56 [tested] Deltas between distributions and rank changes.
P57 [tested] Table 2: the same models on several benchmarks (own, BFCL, APIBench, NexusRaven): Recall, Accuracy, rank
    shifts, accuracy range.
P58 [tested] Figure 4: error profile per model (Miss, Over, Temp, Missing, Value).
P59 [tested] Evaluation sets of 3,000 (2,500 positive + 500 negative) are a normal size.
P60 [tested] Reference audit: seeded sample (paper: 300 cases, seed 20260725, class prior kept -> 250/50), 3
    reviewers; Need on all, Target and Args on positives; overall validity per reviewer, Fleiss kappa per level, with
    a prevalence note.
P61 [tested] Judge audit: separate stratified sample (100 correct, 50 missed, 50 spurious, 100 parameter errors):
    observed agreement and Cohen kappa per reviewer, Fleiss kappa among reviewers, confirmation rate per stratum.
P62 [tested] Ablation without content validation: report the false-positive rate.
P63 [tested] Ablation without iterative calibration: cumulative pass rate.
P64 [tested] Ablation single shot instead of closed loop: pass rate, scenario-coverage multiple, difficulty
    deviation.
P65 [tested] Ablation M=3 -> M=1: pass rate.
P66 [tested] Significance tests per ablation.
P67 [tested] The same ablations over 1 to 8 plugins.
P68 [tested] Sensitivity over R, M, K; defaults R_max=3, M=3, K=5.
B1 [tested] Six outcomes kept apart: no_call, spurious_call, wrong_tool, invalid_args, valid_but_wrong, correct.
B2 [tested] Case {query, expected tool or none, expected args}; Result {case, model, outcome, repeat, ...}.
B3 [tested] Grading order: no call -> (correct if none expected else no_call); none expected -> spurious_call; other
    tool -> wrong_tool; schema -> invalid_args; semantic check -> correct / valid_but_wrong.
B4 [tested] Missing raw arguments are {}.
B5 [tested] The semantic check is the user's code, per tool; a registry, examples, and the gold-anchored judge as
    default.
B6 [tested] Matrix = models x cases x repeats (x description variants, X7), default repeats 3.
B7 [tested] Noise floor: a difference inside the run-to-run spread is not a difference, and the report says so.
B8 [tested] Tool descriptions byte-identical across models: hashed, checked, run refused otherwise; provider-required
    schema rewrites are listed per model, and grading always uses the original schema.
B9 [tested] Four metrics never conflated: called at all, right tool, schema-valid, semantically right.
B10 [tested] No single percentage that hides the buckets.
B11 [tested] Mostly no_call, spread across models large -> choose a model, stop editing the prompt.
B12 [tested] Mostly no_call, all models alike -> the description.
B13 [tested] Mostly spurious_call -> check spread across models first, same rule.
B14 [tested] Mostly wrong_tool -> names and boundaries.
B15 [tested] Mostly invalid_args -> constrained decoding or a bounded validation-retry.
B16 [tested] Mostly valid_but_wrong -> precheck and eval.
B17 [tested] 'mostly' and 'varies a lot' are numbers, stated in the report: dominant-bucket share, between-model
    spread against description-variant spread against run-to-run spread.
B18 [tested] Every result carries scope, metric definition, date, models, and an expiry.
B19 [tested] Scope: tool count, schema depth and optional fields, description hashes, domain, traffic source, case
    count.
B20 [tested] Borrowed numbers carry model and month.
B21 [tested] The tool call is tracked apart from the end metric.
B22 [models] Pointing it at your own traffic takes under an hour: import JSONL or traces, labelling help.
B23 [tested] Run the matrix before touching the prompt.
B24 [tested] If the gap is zero, the report says so.
B25 [tested] Optional fields get their own breakdown.
B26 [tested] The decision exports as a routing note.
B27 [tested] Scheduled re-run and drift report against an older run.
E1 [tested] One schema for all tools -> schema per tool.
E2 [tested] Lax coercion and ignored extra keys -> strict JSON Schema validation (unknown keys are invalid when the
    schema says so, and always reported).
E3 [tested] Provider failure counted as no_call or correct -> an Error of its own, excluded and counted, never a
    verdict.
E4 [tested] Single call only -> call lists.
E5 [tested] Targeted negatives.
E6 [tested] Unparsable output -> parse failure, never an abstention.
E7 [tested] Expected_args missing while expected_tool is set.
E8 [tested] Results keep repeat index, latency, usage, raw output.
D1 [tested] Lambda_arg = lambda_out = 0.5, tau = 0.8.
D2 [tested] L = 2 rounds, minimum gain 1 % of the total budget, synthesis budget = 10 candidates per budgeted example;
    b(u): the requested size spread over scenarios, difficulty mix 0.40/0.40/0.20, largest remainder.
D3 [tested] Both_empty = gold empty and prediction empty on a row that is not declared negative: excluded and counted.
D4 [tested] Precedence inside one failed query: miss recall > parameter error > judge failure; subtype: missing
    argument > temporal > incorrect value; all mismatches stay listed on the row.
D5 [tested] Gold (1,1,⊥) is a targeted negative for its target (any call of the target with invented arguments = over
    recall), reported also as its own 'underspecified' stratum.
D6 [tested] Extra calls on a positive do not fail it in the paper's view; they are counted; policy `extra_calls =
    ignore | read_only | forbid` for gates. An extra call to a tool that is not read-only is always shown.
D7 [tested] Calls pair by maximum-weight matching, order free, unless the case says ordered. Greedy matching is a
    defect.
D8 [tested] Equal scores: higher S_arg, then lower generator index.
D9 [tested] The reference router's model, prompt hash, temperature and seeds are frozen in the benchmark.
D10 [tested] Coverage multiple = verified units covered / units covered by the seed queries; difficulty deviation
    = mean |ordinal(observed) - ordinal(target)|.
D11 [tested] Paired rates: exact McNemar. Unpaired: Newcombe interval. Single rates: Wilson. Repeats: intervals
    clustered by case.
D12 [tested] Distances for d_syn come from one named similarity measure, recorded with its version.
D13 [tested] An explicit schema default equals the omitted argument, both ways; null on an optional argument equals
    omitted unless null means something in the schema; a further optional argument that is not its default is an
    incorrect value.
D14 [tested] Lossless coercion only ('5' for integer 5 counts for the semantic verdict but is flagged schema-invalid
    in the strict view); wrong enum case or a number for a string parameter is invalid. List order matters unless the
    schema or the case says set. A format asked for only in a description does not make an equal value wrong.
D15 [tested] On a targeted negative, calling another tool is a true negative in the paper's view and
    spurious_call/wrong_tool in the six-outcome view. Both views come from one graded row and are reconciled in the
    report.
X1 [tested] Every case's verification record (all proposals, scores, schema errors, MCP request and response, timings,
    evaluator identities, prompt hashes, round, the gap it filled) is an MCP resource.
X2 [tested] The connected agent's own model can be generator, evaluator, reviewer or writer of queries, through leased
    work items (works in every MCP client), never seeing gold it must not see.
X3 [tested] Long jobs survive kill -9 and restarts, repeat no paid call, report progress, can be cancelled and resumed;
    the official tasks extension is served where the client declares it.
X4 [tested] Results expire with a reason: date passed, tool schema or description hash changed, model alias moved,
    gold revised.
X5 [tested] Import audit: grounding (is each gold value derivable from query, schema or clock), enum, duplicates,
    count mismatch, unpassable cases, over BFCL and the other formats.
X6 [tested] Metamorphic self-test of the grader (permute gold order, key order, number spelling, explicit defaults,
    time-zone spelling): the verdict must not move.
X7 [tested] Description variants as an arm of the matrix, so that model spread is compared with the spread that
    description edits can buy; 'no difference found' is a normal answer, with the sample size that would be needed.
X8 [tested] Degenerate baselines in every report: never call, always call the first tool, echo defaults.
X9 [tested] Re-grade stored runs with new gold or a new judge without a single new model call; old and new stay side
    by side.
X10 [tested] Denominator, repeats and exclusions beside every rate; comparisons on common rows only.
X11 [tested] Nothing counts silently: every refused, excluded, failed or repaired row is listed with its reason.
"""

REQUIREMENTS: dict[str, Requirement] = {
    match["id"]: Requirement(match["state"], " ".join(match["sentence"].split()))
    for match in re.finditer(
        r"^(?P<id>[PBEDX]\d+) \[(?P<state>[a-z ]+)\] (?P<sentence>.*(?:\n    .*)*)", _MANIFEST, flags=re.MULTILINE
    )
}
