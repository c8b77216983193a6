import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const KIB = 1024

/**
 * Every default and figure that users are told: where it is decided, where it is told, and what it is. Three places that
 * must say the same, so that no one of them can change alone.
 */
const FIGURES: readonly (readonly [
  what: string,
  value: number,
  constant: readonly [file: string, name: string],
  ...told: readonly (readonly [file: string, pattern: RegExp])[],
])[] = [
  [
    'time for consent',
    300_000,
    ['packages/core/src/repertoire/session-opener.ts', 'CONSENT_TIMEOUT_MS'],
    ['packages/core/src/repertoire/options.ts', /How long a handler may take.*Default (5 minutes)/],
    ['docs/sessions.md', /`consentTimeout` +\| (5 minutes)/],
  ],
  [
    'time for a hook',
    60_000,
    ['packages/core/src/repertoire/repertoire.ts', 'HOOK_TIMEOUT_MS'],
    ['packages/core/src/repertoire/options.ts', /How long each hook may take.*Default ([\d,]+)/],
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
  ],
  [
    'share of the context window',
    0.02,
    ['packages/core/src/disclosure/budget.ts', 'SHARE'],
    ['packages/core/src/disclosure/budget.ts', /at most 1. Default ([\d.]+)\./],
    ['docs/architecture.md', /by default (2 %) of/],
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
    'bytes of one argument of a script',
    131_071,
    ['packages/runners/src/job.ts', 'MAX_ARGUMENT_BYTES'],
    ['docs/runners.md', /one argument over ([\d,]+) bytes/],
  ],
  [
    'bytes of all arguments of a script',
    1_000_000,
    ['packages/runners/src/job.ts', 'MAX_ARGUMENTS_BYTES'],
    ['docs/runners.md', /more than ([\d,]+) bytes together/],
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
  ],
  [
    'how far tokens of models may be apart',
    0.2,
    ['packages/conformance/src/scenarios/figures.ts', 'tokenSpread'],
    ['docs/command.md', /at most (20 %) apart/],
  ],
]

const UNITS: Readonly<Record<string, number>> = { minutes: 60_000, s: 1_000, MiB: KIB * KIB, '%': 0.01 }

/** A figure as people write it: `5 minutes`, `20,000`, `10 MiB`. */
function figureIn(text: string): number {
  const [, number = '', unit = ''] = /^([\d,.]+?)\.?(?: (\S+))?$/.exec(text) ?? []
  return Number(number.replaceAll(',', '')) * (UNITS[unit] ?? 1)
}

/** The value of a constant, a product of numbers. */
function constantIn(text: string, name: string): number {
  const [, product = ''] = new RegExp(String.raw`\b${name}(?: =|:) ([\d_. *]+)`).exec(text) ?? []
  return product.split('*').reduce((all, factor) => all * Number(factor.replaceAll('_', '')), 1)
}

/** A text with each comment on one line. */
const flat = (file: string): string => readFileSync(join(ROOT, file), 'utf8').replaceAll(/\n\s*\* /g, ' ')

test.each(FIGURES.map((figure) => ({ what: figure[0], value: figure[1], figure })))(
  '[NFR-4] the $what is what users are told: $value',
  ({ value, figure }) => {
    const [, , [file, name], ...told] = figure
    expect(constantIn(flat(file), name)).toBeCloseTo(value, 6)
    const wrong = told.filter(([page, pattern]) => {
      const [, written = ''] = pattern.exec(flat(page)) ?? []
      return Math.abs(figureIn(written) - value) > 1e-9
    })
    expect(wrong).toEqual([])
  },
)
