import {
  anyText,
  callable,
  flag,
  listOf,
  withDefault,
  checkArgument,
  checkOptions,
  DEFAULT_LAYERS,
  LOAD_TIMEOUT_MS,
  type OptionTable,
  estimateTokens,
} from '@repertoire/skill-md/internal'
import { loadHashes } from '../text/hash.ts'
import { safeCounter } from '../text/safe-counter.ts'
import type { CountingFailure } from '../session/context.ts'
import { FOR_VIEWER, viewerOf } from '../catalog/view.ts'
import { everySkill } from '../catalog/catalog.ts'
import { createDocuments } from '../catalog/documents.ts'
import { explainSkill } from '../catalog/explain.ts'
import { skillNotFound } from '../catalog/explanation.ts'
import { leftOut } from '../session/audit/left-out.ts'
import { openCatalog } from '../catalog/open-catalog.ts'
import { createSkillProvider } from '../catalog/provider.ts'
import { tiersOf } from '../catalog/tiers.ts'
import { checkSkillToolNames, createSessionOpener, skillToolTest } from './session-opener.ts'
import { openToolTable, resolveGate } from '@repertoire/gate/internal'
import { noSkillsMessage } from './missing-skills.ts'
import { createNotLoaded } from './not-loaded.ts'
import { resolveScripts } from '../execution/settings.ts'
import { inTime } from '../time-limit.ts'
import { CACHE_TTL_MS } from './option-tables.ts'
import type { AdapterSessionOptions, ExplainOptions, Repertoire, RepertoireOptions } from './options.ts'
import type { Session } from '../session/session.ts'
import { createPinnedFolders } from '../session/activation/pinned-folders.ts'
import { CONTEXT_WINDOW, resolveBudget } from '../disclosure/budget.ts'
import { createMatchedContents } from '../session/turn/matching.ts'
import { createFirstReports, createMessageCalls, createSkillUses, createTurns } from '../session/shared-records.ts'
import { createToolsets } from '../session/toolsets/toolsets.ts'
import { scriptGate, scriptToolTable } from '../session/scripts/active-scripts.ts'
import { mergeSaved } from '../session/state/seal.ts'
import { DEFAULT_TOOL_NAMES, type SkillToolNames } from '../tools/definitions.ts'
import { shownList } from '../tools/shown-list.ts'
import type { ListSettings } from '../tools/skill-list.ts'
import { createWindow } from '../window/settings.ts'

const EXPLAIN_OPTIONS: OptionTable<ExplainOptions> = { ...FOR_VIEWER, hostTools: listOf(anyText) }

/** What `openRepertoire` does with checked options. It is imported on first use. */
export async function createRepertoire(given: RepertoireOptions): Promise<Repertoire> {
  await loadHashes()
  const { enabled = true } = given
  const options = enabled ? given : { ...given, sources: [] }
  const { catalog = {}, listing: listed = {}, context = {}, admit } = options
  const { profile = 'default', layers = DEFAULT_LAYERS, loadTimeout = LOAD_TIMEOUT_MS } = catalog
  const { cacheTtl = CACHE_TTL_MS, now = () => performance.now() } = catalog
  const { style = 'lines', search = 'auto', guidance = 'short', stableTools = false } = listed
  let countingFailure: CountingFailure | undefined
  const countTokens =
    context.countTokens &&
    safeCounter(context.countTokens, estimateTokens, (reason, cause) => {
      countingFailure ??= { reason, cause }
    })
  const budget = resolveBudget(listed.budget ?? {}, context.window, countTokens)
  const listing: ListSettings = { style, budget, layers, search, guidance, stableTools }
  const { window: size, summaries } = context
  const keepsWindow = summaries !== false && (summaries ?? size) !== undefined
  const window = keepsWindow ? createWindow(summaries ?? {}, size ?? CONTEXT_WINDOW, context.countTokens) : undefined
  const toolNames = { ...DEFAULT_TOOL_NAMES, ...options.skillToolNames }
  checkSkillToolNames(toolNames, style)
  const scripts = resolveScripts(options.scripts)
  const tools = openToolTable(
    options,
    scripts && scriptToolTable(toolNames),
    skillToolTest(toolNames, listing, scripts !== undefined),
  )
  const gate = resolveGate(options)
  const { audit } = options
  const audits = audit && (await import('../session/audit/recorder.ts')).openSessionAudits(audit, context.countTokens)
  const documents = createDocuments(profile, cacheTtl, now)

  const admission = admit && (await (await import('../catalog/admission.ts')).openAdmission(admit, tools.of(undefined)))
  const {
    snapshots,
    viewsFor,
    close: closeCatalog,
  } = await openCatalog({ ...catalog, sources: options.sources, watch: options.watch, now, admission })
  snapshots.onChange(() => documents.forget())
  const { sessionSecret } = options
  const pinnedFolders = createPinnedFolders(
    ({ name, source, location }) => {
      const found = everySkill(snapshots.current).filter((skill) => skill.name === name && skill.source === source)
      // A project may have been moved since. The digest says whether it is the same skill.
      return found.find((skill) => skill.location === location) ?? found[0]
    },
    loadTimeout,
    options.mounts,
  )
  const uses = createSkillUses()
  let isClosed = false
  const openAnySession = createSessionOpener({
    uses,
    isFirstReport: createFirstReports(),
    settings: {
      profile,
      admission,
      listing,
      countingFailure: () => countingFailure,
      toolNames: enabled ? toolNames : NO_TOOL_NAMES,
      sessionSecret,
      scripts,
      loadTimeout,
      mounts: options.mounts,
      pinnedFolders,
      toolsets: createToolsets(options.toolsets, pinnedFolders, loadTimeout),
      messageCalls: createMessageCalls(),
      inTurn: createTurns(),
      noSkills: () => (enabled ? noSkillsMessage(snapshots.current, options.sources) : undefined),
      window,
      matchedContents: createMatchedContents(profile, admission, cacheTtl, now),
    },
    enabled,
    tools,
    gate,
    audits,
    viewsFor,
    catalog: () => snapshots.current,
    notLoaded: createNotLoaded(() => snapshots.current),
    leftFor: (viewer) => () => leftOut(snapshots.current, viewer),
    searchFor: (viewer) => (query, searched) => snapshots.current.search(query, { ...searched, viewer }),
  })

  /** It is the host's: one that hangs keeps nothing else open. */
  async function closeLoader(): Promise<void> {
    const loader = options.toolsets?.loader
    if (loader?.close !== undefined) await inTime(loader.close(), loadTimeout, 'The loader of `toolsets`')
  }

  const closeListeners = new Set<() => Promise<void>>()

  function openSession(opening?: AdapterSessionOptions): Session {
    if (!isClosed) return openAnySession(opening)
    throw new TypeError(
      'openSession: the repertoire is closed. Close it when no task is to come, or open another one with `openRepertoire`.',
    )
  }

  async function close(): Promise<void> {
    isClosed = true
    const heard = await Promise.allSettled(
      [...closeListeners].map((listener) => inTime(listener(), loadTimeout, 'A listener of `onClose`')),
    )
    // A watch that fails or hangs does not keep a sink open.
    const ends = await Promise.allSettled([closeCatalog(), audits?.close(), closeLoader()])
    for (const end of [...heard, ...ends]) if (end.status === 'rejected') throw end.reason
  }

  return {
    get catalog() {
      return snapshots.current
    },
    async reload(reloading) {
      checkOptions<{ force?: boolean }>('reload', { force: withDefault(false, flag) }, reloading)
      return snapshots.reload(reloading)
    },
    onChange: (listener) => snapshots.onChange(listener),
    async load(name, looking) {
      const view = viewsFor(viewerOf('load', looking))()
      const skill = view.find(name)
      if (skill !== undefined) return documents.load(skill)
      const visible = view.list().map((other) => other.name)
      throw skillNotFound(name, visible)
    },
    invalidate(name) {
      documents.forget(name)
      snapshots.outdate()
    },
    explain(name, explaining = {}) {
      checkArgument('explain', 'name', anyText, name)
      checkOptions('explain', EXPLAIN_OPTIONS, explaining)
      const { viewer = {}, hostTools } = explaining
      return explainSkill(name, {
        catalog: snapshots.current,
        viewer,
        admission,
        cuts: shownList(viewsFor(viewer)().list(), listing, uses.of(viewer)).list.cuts,
        tools: hostTools && (scripts ? scriptGate({ gate, tools, toolNames }, hostTools).tools : tools.of(hostTools)),
      })
    },
    tiers(looking) {
      const viewer = viewerOf('tiers', looking)
      return tiersOf(viewsFor(viewer), (skill) => documents.load(skill))
    },
    provider(looking) {
      return createSkillProvider(viewsFor(viewerOf('provider', looking)))
    },
    close,
    onClose(listener) {
      // A new function for each call: a listener that is added twice is called twice.
      const added = async (): Promise<void> => listener()
      closeListeners.add(added)
      return () => void closeListeners.delete(added)
    },
    [Symbol.asyncDispose]: close,
    openSession,
    async runTask(session, task) {
      checkArgument('runTask', 'task', callable, task)
      const opened = openSession(session)
      try {
        return await task(opened)
      } finally {
        await opened.end()
      }
    },
    mergeSaved: (base, one, other) => mergeSaved(base, one, other, sessionSecret),
  }
}

/** Where skills are off, no call is one of a skill tool, and a host may use every name. */
const NO_TOOL_NAMES: SkillToolNames = { activate: '', deactivate: '', readResource: '', runScript: '', search: '' }
