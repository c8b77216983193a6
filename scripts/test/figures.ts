const KIB = 1024

/**
 * A figure that users are told: where it is decided, where it is told, and what it is. A place is a file, or a command
 * whose help is read: `repertoire models --help`.
 */
type Figure = readonly [
  what: string,
  value: number,
  constant: readonly [file: string, name: string],
  ...told: readonly (readonly [place: string, pattern: RegExp])[],
]

/** Every default and figure that users are told. Places that must say the same, so that no one of them can change alone. */
export const FIGURES: readonly Figure[] = [
  [
    'time for consent',
    300_000,
    ['packages/core/src/repertoire/session-opener.ts', 'CONSENT_TIMEOUT_MS'],
    ['packages/core/src/repertoire/options.ts', /How long a handler may take.*Default (5 minutes)/],
    ['docs/sessions.md', /`consentTimeout` +\| (5 minutes)/],
    ['docs/consent.md', /`consentTimeout` \(default (5 minutes)\)/],
  ],
  [
    'time for a script',
    60_000,
    ['packages/core/src/execution/limits.ts', 'timeoutMs'],
    ['repertoire run --help', /may run \(default: (60 s)\)/],
    ['docs/command.md', /`--timeout SECONDS` \(default: (60 s)\)/],
    ['packages/cli/README.md', /for at most (60 s)/],
  ],
  [
    'what a script of the command is given',
    64 * KIB * KIB,
    ['packages/cli/src/commands/read-input.ts', 'MAX_INPUT_BYTES'],
    ['docs/command.md', /piped into the command, at most (64 MiB)/],
  ],
  [
    'time for a hook',
    60_000,
    ['packages/core/src/repertoire/repertoire.ts', 'HOOK_TIMEOUT_MS'],
    ['packages/core/src/repertoire/options.ts', /How long each hook may take.*Default ([\d,]+)/],
    ['docs/consent.md', /`hookTimeout` \(default (60 s)\)/],
  ],
  [
    'time that documents are kept',
    300_000,
    ['packages/core/src/repertoire/repertoire.ts', 'CACHE_TTL_MS'],
    ['packages/core/src/repertoire/options.ts', /document is kept.*Default ([\d,]+)/],
  ],
  [
    'time between reloads',
    60_000,
    ['packages/core/src/catalog/snapshots.ts', 'MIN_RELOAD_INTERVAL_MS'],
    ['packages/core/src/catalog/snapshots.ts', /further ones are skipped.*Default ([\d,]+)/],
  ],
  [
    'time for a sink',
    5_000,
    ['packages/core/src/audit/audit-log.ts', 'TIMEOUT_MS'],
    ['packages/core/src/audit/events.ts', /How long a sink may take.*Default ([\d,]+)/],
    ['docs/audit.md', /`timeout` +\| (5 s)/],
  ],
  [
    'time without changes before a reload',
    200,
    ['packages/core/src/catalog/watch.ts', 'DEBOUNCE_MS'],
    ['packages/core/src/catalog/watch.ts', /How long no change may arrive.*Default ([\d,]+)/],
  ],
  [
    'time between comparisons of a watched folder',
    2_000,
    ['packages/core/src/node/watch/options.ts', 'DEFAULT_INTERVAL_MS'],
    ['packages/core/src/node/watch/options.ts', /between two comparisons.*Default ([\d,]+)/],
  ],
  [
    'folders that are searched',
    20_000,
    ['packages/core/src/node/sources/directory.ts', 'MAX_FOLDERS'],
    ['packages/core/src/node/sources/directory.ts', /most folders below the root.*Default ([\d,]+)/],
  ],
  [
    'levels that are searched',
    64,
    ['packages/core/src/node/sources/directory.ts', 'MAX_DEPTH'],
    ['packages/core/src/node/sources/directory.ts', /that are searched, 0 to ([\d,]+)/],
  ],
  [
    'files of a listing',
    1_000,
    ['packages/core/src/node/folder/skill.ts', 'DEFAULT_MAX_FILES'],
    ['packages/core/src/node/folder/reading.ts', /files a listing holds.*Default ([\d,]+)/],
  ],
  [
    'bytes of a private copy',
    256 * KIB * KIB,
    ['packages/core/src/node/mounts/private.ts', 'DEFAULT_MAX_BYTES'],
    ['packages/core/src/node/mounts/private.ts', /largest copy.*Default (256 MiB)/],
  ],
  [
    'bytes of a file of a skill',
    10 * KIB * KIB,
    ['packages/core/src/ports/limits.ts', 'MAX_RESOURCE_BYTES'],
    ['packages/core/src/resources/read.ts', /largest file.*Default (10 MiB)/],
    ['packages/core/src/ports/folder.ts', /largest file.*default (10 MiB)/],
  ],
  [
    'tokens of a context window',
    200_000,
    ['packages/core/src/disclosure/budget.ts', 'CONTEXT_WINDOW'],
    ['packages/core/src/disclosure/budget.ts', /context window, in tokens. Default ([\d,]+)/],
    ['docs/architecture.md', /by default 2 % of ([\d,]+) tokens/],
    ...['prompt', 'explain'].map(
      (name) =>
        [`repertoire ${name} --help`, /context window of the model \(default: as configured, or ([\d,]+)\)/] as const,
    ),
  ],
  [
    'share of the context window',
    0.02,
    ['packages/core/src/disclosure/budget.ts', 'SHARE'],
    ['packages/core/src/disclosure/budget.ts', /at most 1. Default ([\d.]+)\./],
    ['docs/architecture.md', /by default (2 %) of/],
    ...['prompt', 'explain'].map(
      (name) => [`repertoire ${name} --help`, /\(default: as configured, or (2%)\)/] as const,
    ),
  ],
  [
    "characters of a fork's result",
    100_000,
    ['packages/core/src/session/turn/settings.ts', 'MAX_RESULT_CHARS'],
    ['packages/core/src/session/turn/settings.ts', /of a fork's result.*Default ([\d,]+)/],
  ],
  [
    'time for a fork to stop',
    5_000,
    ['packages/core/src/session/turn/settings.ts', 'GRACE_MS'],
    ['packages/core/src/session/turn/settings.ts', /told to stop.*Default ([\d,]+)/],
  ],
  [
    'model calls of a sub-agent',
    20,
    ['packages/core/src/session/fork/sub-agent.ts', 'DEFAULT_SUB_AGENT_STEPS'],
    ['packages/ai-sdk/src/fork.ts', /number of model calls. Default (\d+)/],
    ['packages/langchain/src/fork.ts', /number of model calls. Default (\d+)/],
    ['packages/react-loop/src/sub-agent.ts', /number of model calls. Default (\d+)/],
    ['docs/react-loop.md', /and (\d+) model calls/],
  ],
  [
    'time for a check',
    30_000,
    ['packages/conformance/src/run.ts', 'DEFAULT_DEADLINE_MS'],
    ['packages/conformance/src/run.ts', /for adapters that hang. Default ([\d,]+)/],
  ],
  [
    'checks side by side',
    4,
    ['packages/conformance/src/run.ts', 'DEFAULT_CONCURRENCY'],
    ['packages/conformance/src/run.ts', /checks run side by side. Default (\d+)/],
  ],
  [
    'characters of a text in the audit',
    4_000,
    ['packages/core/src/audit/redact.ts', 'MAX_TEXT_CHARS'],
    ['packages/core/src/audit/events.ts', /no text in it is longer than ([\d,]+)/],
    ['docs/audit.md', /texts are cut at ([\d,]+) characters/],
  ],
  [
    'share of paths that may lead to nowhere',
    0.05,
    ['packages/conformance/src/scenarios/figures.ts', 'pathFailures'],
    ['docs/command.md', /at most (5 %) of the paths/],
    ['repertoire models --help', /(5 %) of the paths lead nowhere/],
  ],
  [
    'how far tokens of models may be apart',
    0.2,
    ['packages/conformance/src/scenarios/figures.ts', 'tokenSpread'],
    ['docs/command.md', /at most (20 %) apart/],
    ['repertoire models --help', /tokens of one scenario (20 %) apart/],
  ],
  [
    'scripts that a model may be shown',
    0,
    ['packages/conformance/src/scenarios/figures.ts', 'scriptsShown'],
    ['repertoire models --help', /(0) scripts shown/],
    ['docs/command.md', /paths lead to nowhere, (0) scripts shown/],
  ],
  [
    'model calls of a scenario',
    15,
    ['packages/conformance/src/scenarios/run.ts', 'steps'],
    ['docs/command.md', /ends after (15) calls/],
  ],
  [
    'tokens of a scenario',
    60_000,
    ['packages/conformance/src/scenarios/run.ts', 'tokens'],
    ['docs/command.md', /calls of the model, (60,000) tokens/],
  ],
  [
    'time of a scenario',
    180_000,
    ['packages/conformance/src/scenarios/run.ts', 'time'],
    ['docs/command.md', /\(checked between calls\) or (3 minutes)/],
  ],
  [
    'time for a source, a folder or a mount',
    30_000,
    ['packages/core/src/ports/limits.ts', 'LOAD_TIMEOUT_MS'],
    ['docs/consent.md', /`loadTimeout` \(default (30 s)\)/],
    ['docs/sources.md', /`loadTimeout` +\| (30 s)/],
    ['docs/sources.md', /its own `timeout` \(default (30 s)\)/],
  ],
  [
    'tokens of an answer of Anthropic',
    16_384,
    ['packages/react-loop/src/anthropic/anthropic.ts', 'maxTokens'],
    ['docs/react-loop.md', /demands a limit \(default ([\d,]+)\)/],
  ],
  [
    'bytes that the floor reads of a file',
    4 * KIB,
    ['apps/bench/src/contestants/floor.ts', 'HEAD_BYTES'],
    ['npm run bench -- --help', /read (4 KB) and close/],
  ],
  [
    'processes per contestant',
    7,
    ['apps/bench/src/options.ts', 'rounds'],
    ['npm run bench -- --help', /per contestant \(default: (\d+);/],
  ],
  [
    'seconds that a contestant may need',
    10,
    ['apps/bench/src/options.ts', 'patience'],
    ['npm run bench -- --help', /scan are not run \(default: (\d+)\)/],
  ],
  [
    'model calls of a run of the loop',
    20,
    ['packages/react-loop/src/run.ts', 'maxSteps'],
    ['packages/react-loop/src/options.ts', /number of model calls per run. Default (\d+)/],
    ['packages/react-loop/README.md', /`maxSteps` +\| (\d+)/],
  ],
]
