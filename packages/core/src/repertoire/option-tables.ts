import type { AuditOptions } from '../audit/events.ts'
import {
  DEFAULT_LAYERS,
  PROFILES,
  anything,
  anyText,
  callable,
  distinctListOf,
  either,
  flag,
  functionOf,
  layerKind as layer,
  listOf,
  number,
  off,
  oneOf,
  required,
  secret,
  signal,
  tableOf,
  text,
  timeLimit,
  withDefault,
  withMethods,
  type OptionKind,
  type OptionTable,
  LOAD_TIMEOUT_MS,
  MAX_TIMER_MS,
} from '@repertoire/skill-md/internal'
import type { WatchOptions } from '../catalog/watch.ts'
import { LISTING_BUDGET_OPTIONS } from '../disclosure/budget.ts'
import { GUIDANCE_MODES } from '../disclosure/guidance.ts'
import type { SkillExecutorOptions } from '../execution/execute.ts'
import { scriptLimitsKind, environmentKind, runnerKind, type ScriptOptions } from '../execution/settings.ts'
import type { Admission } from '../ports/admission.ts'
import type { EnforcementOptions } from '@repertoire/gate/internal'
import { cwdKind, hostToolsKind, policyKind, rulesKind } from '@repertoire/gate/internal/options'
import type { ToolsetOptions } from '../ports/toolset.ts'
import type { TurnMatching } from '../session/turn/matching.ts'
import { DEFAULT_TOOL_NAMES, type SkillToolNames, SEARCH_MODES } from '../tools/definitions.ts'
import { LISTING_STYLES } from '../tools/styles.ts'
import type { WindowOptions } from '../window/settings.ts'
import type {
  CatalogOptions,
  ConsentOptions,
  ContextOptions,
  ListingOptions,
  RepertoireOptions,
  SessionOptions,
  AdapterSessionOptions,
  TurnHandling,
} from './options.ts'

export const CACHE_TTL_MS = 5 * 60_000
export const CONSENT_TIMEOUT_MS = 5 * 60_000

const tokens = number('tokens', { above: 0 })
const share = number('', { above: 0, to: 1 })
const duration = number('milliseconds', { from: 0, isUnlimited: true })
const countTokens = functionOf('a function of a text that returns its tokens')

/** A source of skills. */
export const sourceKind: OptionKind = {
  expects: "a source, such as directorySource({ root, layer: 'project' })",
  problem(value, path) {
    const { id, layer: given, scan } = Object(value) as Readonly<Record<string, unknown>>
    if (typeof scan !== 'function') return `\`${path}\` is not a source: it has no \`scan\`. Give ${this.expects}.`
    if (typeof id !== 'string' || id === '') return `\`${path}.id\` is not a name. Give the source a string as its id.`
    return layer.problem(given, `${path}.layer`)
  },
}

const gateMode = oneOf('restrict', 'preapprove', 'advisory')

/** The options that `openRepertoire` and `openSession` share. */
const gate = {
  enforcement: withDefault(
    'restrict',
    either(
      gateMode,
      tableOf<EnforcementOptions>({
        mode: withDefault('restrict', gateMode),
        from: withDefault('all', oneOf('all', 'top')),
      }),
    ),
  ),
  policy: policyKind,
  toolMap: hostToolsKind,
} as const

const sink = withMethods('a sink { write }, such as jsonLinesAudit of @repertoire/core/node', 'write')

const audit = either(
  sink,
  listOf(sink, 'a list of sinks'),
  tableOf<AuditOptions>({
    sink: required(either(sink, listOf(sink, 'a list of sinks'))),
    required: withDefault(false, flag),
    inputs: withDefault('none', oneOf('none', 'redacted')),
    timeout: withDefault(5_000, timeLimit),
    now: callable,
  }),
)

/** The runner of scripts, and what they may use. */
const scripts: OptionTable<Omit<ScriptOptions, 'hooks' | 'environment'>> = {
  runner: runnerKind,
  limits: scriptLimitsKind,
  network: withDefault(false, flag),
}

export const EXECUTOR_OPTIONS: OptionTable<SkillExecutorOptions> = {
  ...scripts,
  environment: environmentKind,
  runStep: functionOf('a function that carries out a step of a plan'),
}

/** The options `catalog` of `openRepertoire`. */
export const CATALOG_OPTIONS: OptionTable<CatalogOptions> = {
  profile: withDefault('default', oneOf(...PROFILES)),
  layers: withDefault(DEFAULT_LAYERS, distinctListOf(layer, `a list of layers: ${DEFAULT_LAYERS.join(', ')}`)),
  collision: withDefault('first', oneOf('first', 'last')),
  minReloadInterval: withDefault(60_000, duration),
  loadTimeout: withDefault(LOAD_TIMEOUT_MS, timeLimit),
  cacheTtl: withDefault(CACHE_TTL_MS, duration),
  rank: callable,
  now: callable,
}

/** The options `listing` of `openRepertoire`. */
const LISTING_OPTIONS: OptionTable<ListingOptions> = {
  style: withDefault('lines', oneOf(...LISTING_STYLES)),
  budget: either(off, tableOf(LISTING_BUDGET_OPTIONS)),
  search: withDefault('auto', oneOf(...SEARCH_MODES)),
  guidance: withDefault('short', oneOf(...GUIDANCE_MODES)),
  stableTools: withDefault(false, flag),
}

const context: OptionTable<ContextOptions> = {
  window: withDefault(200_000, tokens),
  countTokens: withDefault('an estimate', countTokens),
  summaries: either(
    off,
    tableOf<WindowOptions>({
      summarizeAbove: withDefault(0.8, share),
      keepMessages: withDefault(10, number('messages', { from: 1, isWhole: true })),
      evictAbove: withDefault(0.9, share),
      reduceAbove: withDefault(0.95, share),
      keepFewestMessages: withDefault(5, number('messages', { from: 1, isWhole: true })),
      keepSkills: withDefault(1, number('skills', { from: 0, isWhole: true })),
      lowerSkills: withDefault('keep', oneOf('keep', 'deactivate')),
      summarize: either(functionOf('a function that returns a summary'), off),
      summaryTokens: withDefault('0.05 of the window, from 100 to 4,000', number('tokens', { from: 1, isWhole: true })),
      summaryTimeout: withDefault(60_000, timeLimit),
    }),
  ),
}

export const REPERTOIRE_OPTIONS: OptionTable<RepertoireOptions> = {
  sources: required(listOf(sourceKind, "a list of sources, such as [directorySource({ root, layer: 'project' })]")),
  catalog: tableOf(CATALOG_OPTIONS),
  watch: withDefault(
    false,
    either(
      flag,
      tableOf<WatchOptions>({
        debounce: withDefault(200, number('milliseconds', { from: 0, to: MAX_TIMER_MS / 10 })),
      }),
    ),
  ),
  admit: tableOf<Admission>({
    tools: rulesKind,
    withoutAllowedTools: either(oneOf('everything', 'nothing'), rulesKind),
    scripts: withDefault(true, flag),
    hooks: withDefault(true, flag),
  }),
  enabled: withDefault(true, flag),
  ...gate,
  skillToolNames: tableOf<Partial<SkillToolNames>>({
    activate: withDefault(DEFAULT_TOOL_NAMES.activate, text),
    deactivate: withDefault(DEFAULT_TOOL_NAMES.deactivate, text),
    readResource: withDefault(DEFAULT_TOOL_NAMES.readResource, text),
    runScript: withDefault(DEFAULT_TOOL_NAMES.runScript, text),
    search: withDefault(DEFAULT_TOOL_NAMES.search, text),
  }),
  sessionSecret: secret,
  listing: tableOf(LISTING_OPTIONS),
  context: tableOf(context),
  scripts: tableOf<ScriptOptions>({
    ...scripts,
    environment: either(environmentKind, functionOf('a function that returns those of a skill')),
    hooks: withDefault(false, flag),
  }),
  toolsets: tableOf<ToolsetOptions>({
    loader: required(withMethods('`moduleToolsets()` of @repertoire/core/node, or your own loader', 'load')),
    layers: required(listOf(layer, `a list of layers: ${DEFAULT_LAYERS.join(', ')}`)),
    callTimeout: withDefault(60_000, timeLimit),
  }),
  mounts: withMethods('`privateMounts` of @repertoire/core/node, or your own mounts', 'mount', 'unmount'),
  audit,
}

const consentHandler = functionOf('a function that answers a request for consent')

export const SESSION_OPTIONS: OptionTable<SessionOptions> = {
  id: withDefault('random', anyText),
  agent: anyText,
  tenant: anyText,
  environment: anyText,
  skills: listOf(anyText, "a list of skill names, such as ['pdf']"),
  consent: either(
    consentHandler,
    tableOf<ConsentOptions>({ ask: consentHandler, timeout: withDefault(CONSENT_TIMEOUT_MS, timeLimit) }),
  ),
  cwd: cwdKind,
  runStep: functionOf("a function that carries out a call of a host's tool"),
  correlationId: anyText,
  onProblem: callable,
  saved: anything,
  ...gate,
  turns: tableOf<TurnHandling>({
    triggers: withDefault('suggest', oneOf('off', 'suggest', 'activate')),
    match: tableOf<TurnMatching>({
      limit: withDefault(3, number('skills', { from: 1, isWhole: true })),
      content: withDefault(false, flag),
    }),
  }),
}

/** The options of `openAdapterSession`. */
export const ADAPTER_SESSION_OPTIONS: OptionTable<AdapterSessionOptions> = {
  ...SESSION_OPTIONS,
  hostTools: listOf(anyText, "a list of tool names, such as ['Read']"),
  checkpoint: callable,
  until: signal,
}
