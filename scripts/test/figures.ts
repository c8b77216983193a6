/** A figure in a sentence, in the pattern's group, and the constant that decides it, in this or another file. */
type Figure = readonly [told: RegExp, constant: string, file?: string]

/** How commands that show a list of skills describe its size. */
const LIST_SIZE: readonly Figure[] = [
  [/of the model \(default: ([\d,]+)\)/, 'CONTEXT_WINDOW', 'core/src/disclosure/budget.ts'],
  [/the list gets (2%)/, 'SHARE', 'core/src/disclosure/budget.ts'],
]

/**
 * Every figure that users are told, by its place: a file, or a command whose help is read. Sources are below
 * `packages`. The tables of options are compared in option-tables.test.ts.
 */
export const FIGURES: Readonly<Record<string, readonly Figure[]>> = {
  'docs/audit.md': [[/texts are cut at ([\d,]+) characters/, 'MAX_TEXT_CHARS', 'core/src/audit/redact.ts']],
  'docs/command.md': [[/`--timeout SECONDS` \((120 s)\)/, 'ORIGIN_TIMEOUT_MS', 'library/src/origins/limits.ts']],
  'docs/consent.md': [
    [/`consent.timeout` \(default (5 minutes)\)/, 'CONSENT_TIMEOUT_MS', 'core/src/repertoire/option-tables.ts'],
    [/takes longer than (60 s)/, 'HOOK_TIMEOUT_MS', 'skill-md/src/ports/limits.ts'],
    [/`catalog.loadTimeout` \(default (30 s)\)/, 'LOAD_TIMEOUT_MS', 'skill-md/src/ports/limits.ts'],
    [/a file over (64 MiB)/, 'MAX_DIGEST_FILE_BYTES', 'skill-md/src/ports/limits.ts'],
  ],
  'docs/indexes.md': [
    [/more than (512) files or 16 MiB\. Generated/, 'MAX_REMOTE_FILES', 'library/src/origins/mcp/remote-skill.ts'],
    [/more than 512 files or (16 MiB)\. Generated/, 'MAX_REMOTE_BYTES', 'library/src/origins/mcp/remote-skill.ts'],
    [/have 8 MiB and (10,000) entries/, 'MAX_ENTRIES', 'library/src/origins/indexes/index-file.ts'],
  ],
  'docs/listing.md': [
    [/longer than ([\d,]+) characters/, 'MAX_CONTENT_CHARS', 'core/src/session/turn/matching.ts'],
    [/which is 2 % of a window of ([\d,]+)/, 'CONTEXT_WINDOW', 'core/src/disclosure/budget.ts'],
    [/which is (2 %) of a window/, 'SHARE', 'core/src/disclosure/budget.ts'],
    [/packages takes less than (\d+) MB/, 'core', 'scripts/release/sizes.ts'],
    [/the command less than (\d+) MB/, 'command', 'scripts/release/sizes.ts'],
  ],
  'docs/long-conversations.md': [
    [/\| (80 %) +\| the oldest/, 'summarizeAbove', 'core/src/window/settings.ts'],
    [/\| (90 %) +\| in the style/, 'evictAbove', 'core/src/window/settings.ts'],
    [/\| (95 %) +\| the last/, 'reduceAbove', 'core/src/window/settings.ts'],
    [/and the last (\d+) stay/, 'keepMessages', 'core/src/window/settings.ts'],
    [/the last (\d+) messages stay/, 'keepFewestMessages', 'core/src/window/settings.ts'],
  ],
  'docs/react-loop.md': [[/and (\d+) model calls/, 'DEFAULT_SUB_AGENT_STEPS', 'core/src/session/fork/sub-agent.ts']],
  'requirements.json': [
    [/`description` \(1 to ([\d,]+) code points/, 'MAX_DESCRIPTION_CHARS', 'skill-md/src/ports/limits.ts'],
    [/"WIN-2": "Above (80 %)/, 'summarizeAbove', 'core/src/window/settings.ts'],
    [/and the last (\d+) stay/, 'keepMessages', 'core/src/window/settings.ts'],
  ],
  'docs/runners.md': [
    [/one argument over ([\d,]+) bytes/, 'oneBytes', 'skill-md/src/ports/limits.ts'],
    [/more than ([\d,]+) bytes together/, 'allBytes', 'skill-md/src/ports/limits.ts'],
  ],
  'docs/scripts.md': [[/at most (60 s)/, 'HOOK_TIMEOUT_MS', 'skill-md/src/ports/limits.ts']],
  'docs/search.md': [
    [/first ([\d,]+) characters of the body/, 'MAX_BODY_CHARS', 'skill-md/src/ports/limits.ts'],
    [/first ([\d,]+) characters of a query/, 'MAX_QUERY_CHARS', 'core/src/search/text-index.ts'],
  ],
  'docs/session-stores.md': [
    [/of the last ([\d,]+) sessions it had/, 'MAX_SEEN', 'core/src/repertoire/stored/stored-session.ts'],
  ],
  'docs/sessions.md': [
    [/a hook +\| (60 s)/, 'HOOK_TIMEOUT_MS', 'skill-md/src/ports/limits.ts'],
    [/told to stop +\| (5 s)/, 'GRACE_MS', 'core/src/session/fork/forks.ts'],
  ],
  'docs/skill-files.md': [
    [/when to use it, at most ([\d,]+) characters/, 'MAX_DESCRIPTION_CHARS', 'skill-md/src/ports/limits.ts'],
  ],
  'docs/skill-types.md': [
    [/A call of such a tool may take (60 s)/, 'CALL_TIMEOUT_MS', 'core/src/session/toolsets/toolsets.ts'],
  ],
  'docs/storage.md': [
    [/any text of at most (\d+) bytes/, 'MAX_TENANT_BYTES', 'storage/src/namespace.ts'],
    [/more for (1 MiB) and above/, 'MAX_INLINE_BYTES', 'storage/src/postgres.ts'],
  ],
  'docs/sub-agents.md': [
    [/at most ([\d,]+) characters/, 'MAX_RESULT_CHARS', 'core/src/session/fork/forks.ts'],
    [/waits for it, at most (5 s)/, 'GRACE_MS', 'core/src/session/fork/forks.ts'],
  ],
  'packages/cli/README.md': [[/for at most (60 s)/, 'timeout', 'core/src/execution/settings.ts']],
  'conformance/src/run.ts': [
    [/for adapters that hang. Default ([\d,]+)/, 'DEFAULT_DEADLINE_MS', 'conformance/src/deadline.ts'],
    [/checks run side by side. Default (\d+)/, 'DEFAULT_CONCURRENCY'],
  ],
  'core/src/audit/events.ts': [[/no text in it is longer than ([\d,]+)/, 'MAX_TEXT_CHARS', 'core/src/audit/redact.ts']],
  'core/src/catalog/catalog.ts': [
    [/first ([\d,]+) characters of their bodies/, 'MAX_BODY_CHARS', 'skill-md/src/ports/limits.ts'],
    [/first ([\d,]+) characters count/, 'MAX_QUERY_CHARS', 'core/src/search/text-index.ts'],
  ],
  'core/src/node/folder/reading.ts': [
    [/files a listing holds.*Default ([\d,]+)/, 'DEFAULT_MAX_FILES', 'core/src/node/folder/skill.ts'],
  ],
  'core/src/node/mounts/private.ts': [[/largest copy.*Default (256 MiB)/, 'DEFAULT_MAX_BYTES']],
  'core/src/node/sources/directory.ts': [
    [/most folders below the root.*Default ([\d,]+)/, 'MAX_FOLDERS'],
    [/that are searched, 0 to ([\d,]+)/, 'MAX_DEPTH'],
  ],
  'core/src/node/watch/directory.ts': [[/between two comparisons.*Default ([\d,]+)/, 'DEFAULT_INTERVAL_MS']],
  'skill-md/src/ports/skill.ts': [
    [/largest file.*default (10 MiB)/, 'MAX_RESOURCE_BYTES', 'skill-md/src/ports/limits.ts'],
  ],
  'core/src/ports/script-runner.ts': [
    [/How long it may run.*Default ([\d,]+)/, 'timeout', 'core/src/execution/settings.ts'],
    [/How much of both output streams.*Default ([\d,]+)/, 'maxOutputBytes', 'core/src/execution/settings.ts'],
    [/The most processes at once.*Default (\d+)/, 'maxProcesses', 'core/src/execution/settings.ts'],
    [/The largest file that it may write.*Default (64 MiB)/, 'maxFileBytes', 'core/src/execution/settings.ts'],
  ],
  'core/src/resources/digest.ts': [
    [/if a file is over (64 MiB)/, 'MAX_DIGEST_FILE_BYTES', 'skill-md/src/ports/limits.ts'],
  ],
  'core/src/resources/read.ts': [
    [/largest file.*Default (10 MiB)/, 'MAX_RESOURCE_BYTES', 'skill-md/src/ports/limits.ts'],
  ],
  'storage/src/stores.ts': [[/any text of at most (\d+) bytes/, 'MAX_TENANT_BYTES', 'storage/src/namespace.ts']],
  'repertoire explain --help': LIST_SIZE,
  'repertoire show --help': LIST_SIZE,
  'repertoire run --help': [[/may run \(default: (60 s)\)/, 'timeout', 'core/src/execution/settings.ts']],
  'repertoire search --help': [[/At most (10) skills/, 'MAX_HITS', 'cli/src/commands/search.ts']],
  'repertoire serve --help': [
    [/more than (512 files)/, 'MAX_REMOTE_FILES', 'library/src/origins/mcp/remote-skill.ts'],
    [/512 files or (16 MiB)/, 'MAX_REMOTE_BYTES', 'library/src/origins/mcp/remote-skill.ts'],
  ],
}
