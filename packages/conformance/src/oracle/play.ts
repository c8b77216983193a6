import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AuditEvent,
  type AuditSink,
  type ConsentAnswer,
  type ConsentHandler,
  type ConsentRequest,
  type FunctionTool,
  type memorySource,
  openRepertoire,
  type Repertoire,
  type SessionProblem,
  type SkillSource,
} from '@repertoire/core'
import { privateMounts } from '@repertoire/core/node'
import { writtenSkills } from '../checks/written-skills.ts'
import { STOPPED } from '../checks/stopping.ts'
import { LATE, within } from '../deadline.ts'
import { type AdapterDriver, type Conversation, isPresentIn, type Turn as End, type Variant } from '../driver.ts'
import type { ModelEndpoint } from '../endpoint/endpoint.ts'
import type { Play } from '../endpoint/play.ts'
import { watchEnds } from '../ended-skills.ts'
import { reasonOf } from '../failure.ts'
import { fixtureSkills } from '../fixture-skills.ts'
import { benchTools } from '../tools.ts'
import { createRouter, type Router } from './router.ts'
import type { Desk, Run, Scenario, Setup, Turn } from './scenario.ts'

/** Why the person of the host's own approval denies a call. */
export const DENIED = 'Not that one.'

/** So many questions in a row may follow on answers. */
const MAX_ASKING = 20

/** What a scenario is played with. */
export interface Stage {
  readonly driver: AdapterDriver
  readonly variant: Variant
  readonly endpoint: ModelEndpoint
  /** How long a turn may take, in milliseconds. */
  readonly deadline: number
}

/** Plays a scenario with an adapter, and returns what was seen. */
export async function playScenario(scenario: Scenario, stage: Stage): Promise<Run> {
  const root = await mkdtemp(join(tmpdir(), 'repertoire-play-'))
  try {
    const run = await playIn(root, scenario, stage)
    const json = JSON.stringify(run).replaceAll(JSON.stringify(root).slice(1, -1), '/mounts')
    return JSON.parse(json) as Run
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function playIn(root: string, scenario: Scenario, { driver, variant, endpoint, deadline }: Stage): Promise<Run> {
  const [toolRuns, questions, ends, active] = [[], [], [], []] as [
    Run['toolRuns'][number][],
    Run['questions'][number][],
    Run['ends'][number][],
    Run['active'][number][],
  ]
  const [events, problems, left, written] = [[], [], [], []] as [AuditEvent[], SessionProblem[], string[], string[]]
  const models = new Map<string, string>()
  const plays: Play[] = []
  const repertoires: Repertoire[] = []
  const continues = isPresentIn(driver, variant, 'continuation')
  let abort = new AbortController()
  let router: Router | undefined
  const at = (): number => router?.requests() ?? 0
  const stop = (): void => abort.abort(new Error(STOPPED))
  const record: Desk['record'] = (tool, input) => void toolRuns.push({ tool, input, callId: '', at: at() })
  let setup =
    typeof scenario.setup === 'function' ? scenario.setup({ record, stop, requests: at }) : (scenario.setup ?? {})
  const ended = watchEnds(beside(setup.audit, { write: (event) => void events.push(event) }))
  const skills = { current: setup.skills }
  const reload = async (changed: NonNullable<Setup['skills']>, isTold = true): Promise<void> => {
    skills.current = changed
    if (isTold) await repertoires.at(-1)!.reload({ force: true })
  }
  router = createRouter(scenario, setup.models ?? {}, { stop, reload })
  const routed = router
  let task = 1
  let asking = 0
  let first: ConsentRequest | undefined
  let open: readonly ConsentRequest[] = []

  /** Notes a question, in the form that is compared. */
  const ask = (request: ConsentRequest): void => {
    first ??= request
    const { id: _, ...asked } = request
    questions.push({ at: at(), asked })
  }
  const handlers: Readonly<Record<'yes' | 'no', ConsentHandler>> = { yes: () => true, no: () => false }

  async function start(saved?: unknown, beside?: Repertoire): Promise<Conversation> {
    const {
      consent = 'yes',
      session,
      tools = benchTools,
      approval,
      instructions = 'You are a careful assistant.',
      maxSteps = 20,
      subagents,
    } = setup
    const repertoire =
      beside ??
      (await openRepertoire({
        ...repertoireOptions(setup, root, record),
        audit: ended.audit,
        sources: sourcesOf(setup, skills),
      }))
    if (beside === undefined) repertoires.push(repertoire)
    const wire = { protocol: variant.protocol, dialect: variant.dialect, form: driver.wire }
    const play = (model: string) => {
      const script = routed.stepsFor(model, beside !== undefined)
      const opened = endpoint.play(script, {
        ...wire,
        after: model === '' && saved !== undefined ? plays.at(-1) : undefined,
      })
      routed.follow(model, beside !== undefined, opened)
      const name = model === '' ? opened.model : `${opened.model}-${model}`
      models.set(name, model === '' ? 'its own' : model)
      const { baseURL, apiKey } = opened
      return { opened, endpoint: { baseURL, apiKey, model: name } }
    }
    const others = Object.keys(setup.models ?? {}).map((model) => [model, play(model)] as const)
    const own = play('')
    plays.push(...others.map(([, { opened }]) => opened), own.opened)
    const handler = consent === 'suspend' ? undefined : typeof consent === 'function' ? consent : handlers[consent]
    return driver.start({
      variant: variant.name,
      endpoint: own.endpoint,
      repertoire,
      session: {
        ...session,
        id: beside !== undefined ? 'the-task-beside' : task === 1 ? 'the-task' : `the-task-${task}`,
        onProblem: (problem) => void problems.push(problem),
        ...(handler && { consent: (...given: Parameters<ConsentHandler>) => (ask(given[0]), handler(...given)) }),
      },
      instructions,
      tools: tools.map((each) => recorded(each, (run) => toolRuns.push({ ...run, at: at() }))),
      maxSteps,
      ...(others.length > 0 && { models: new Map(others.map(([model, each]) => [model, each.endpoint])) }),
      subagents,
      ...(approval && {
        approval: {
          tools: approval.tools,
          ask: async ({ tool, input }) => {
            questions.push({
              at: at(),
              asked: {
                approve: tool,
                input: structuredClone(input),
                ...(++asking > 1 && { beside: 'another question' }),
              },
            })
            await new Promise((resolve) => setImmediate(resolve))
            asking--
            const isDenied = approval.denies?.some((text) => JSON.stringify(input).includes(text)) === true
            if (approval.does === 'change') Object.assign(input as object, { command: 'changed by the approver' })
            if (approval.does === 'fail') throw new Error('The terminal is gone.')
            return isDenied ? { approved: false, reason: DENIED } : { approved: true }
          },
        },
      }),
      saved,
    })
  }

  let conversation = await start()

  const options = (): { readonly signal?: AbortSignal } =>
    isPresentIn(driver, variant, 'abort') ? { signal: abort.signal } : {}
  const answersOf = ({ answers = () => true }: Setup): readonly ConsentAnswer[] =>
    // Whatever the order of the answers, calls are carried out in their own.
    open.toReversed().map((request) => {
      const answer = answers(request)
      return { requestId: request.id, ...(typeof answer === 'boolean' ? { approved: answer } : answer) }
    })

  /** Keeps what a run has ended with; what it asks is answered unless it is to be left. */
  async function follow(label: string, running: Promise<End>, isLeft = false): Promise<void> {
    try {
      let end = await running
      for (let asked = 0; end.status === 'asking'; asked++) {
        for (const request of end.requests) ask(request)
        open = end.requests
        if (isLeft || asked === MAX_ASKING) break
        end = await conversation.answer(answersOf(setup), options())
      }
      if (end.status === 'done') open = []
      ends.push({ turn: label, end: end.status === 'done' ? `done: ${end.text}` : 'it waits for an answer' })
    } catch (error) {
      open = []
      const reason = reasonOf(error)
      const told = routed.errors.find((text) => reason.includes(text))
      ends.push({
        turn: label,
        end: abort.signal.aborted ? 'stopped' : `failed${told === undefined ? '' : `: ${told}`}`,
      })
      if (told === undefined && !abort.signal.aborted) failed.push(reason)
    }
  }
  const failed: string[] = []

  const send = (text: string): Promise<End> => {
    abort = new AbortController()
    written.push(text)
    ended.begin()
    return conversation.send(text, options())
  }

  async function take(turn: Turn): Promise<void> {
    if (typeof turn === 'string') return follow(JSON.stringify(turn), send(turn))
    if ('leave' in turn) return follow(JSON.stringify(turn.leave), send(turn.leave), true)
    if ('instead' in turn) return follow(JSON.stringify(turn.instead), send(turn.instead))
    if ('answer' in turn) {
      const answers = answersOf(setup).map((answer) =>
        turn.answer === 'stale' ? { ...answer, requestId: first!.id } : answer,
      )
      return follow('the answer', conversation.answer(answers, options()), turn.answer === 'stale')
    }
    if ('forget' in turn) return conversation.forget!()
    if ('beside' in turn) {
      const other = await start(undefined, repertoires.at(-1))
      written.push(turn.beside)
      await follow(JSON.stringify(turn.beside), other.send(turn.beside, options()))
      await other.end()
    } else if ('reload' in turn) await reload(turn.reload)
    else if ('restart' in turn) {
      const saved: unknown = JSON.parse(JSON.stringify(await conversation.save()))
      setup = { ...setup, ...turn.restart }
      conversation = await start(saved)
    } else {
      await conversation.end()
      task += 1
      conversation = await start()
    }
  }

  for (const [index, turn] of scenario.turns.entries()) {
    const label = typeof turn === 'string' ? JSON.stringify(turn) : `turn ${index + 1}`
    const taken = take(turn)
    if ((await within(deadline, taken)) === LATE) {
      taken.catch(() => {})
      ends.push({ turn: label, end: `not within ${deadline} ms` })
      stop()
      for (const play of plays) play.close()
      break
    }
    // A host may save whenever a conversation rests; what it saves later must be what is there then.
    if (isPresentIn(driver, variant, 'resume')) await conversation.save().catch(() => undefined)
    active.push({ turn: label, skills: [...ended.names(), ...(await conversation.active())] })
  }
  const ending = conversation.end().then(async () => {
    for (const skill of await conversation.active()) left.push(`the skill ${skill}, active`)
  })
  if ((await within(deadline, ending)) === LATE) left.push('a task that does not end')
  for (const each of repertoires) await within(deadline, each.close())
  if (existsSync(join(root, 'private', 'the-task'))) left.push('the private copies of skills')
  left.push(...failed.map((reason) => `an error: ${reason}`), ...plays.flatMap(({ failures }) => failures))
  for (const play of plays) play.close()
  const conversations = routed.conversations()
  const ids = conversations.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ answer }) => (answer?.toolCalls ?? []).map(({ id }) => id)),
  )
  return {
    conversations,
    toolRuns,
    questions,
    ends,
    active,
    events,
    problems,
    left,
    errors: routed.errors,
    written,
    models: Object.fromEntries(models),
    hasUniqueIds: new Set(ids).size === ids.length && !ids.includes(''),
  }
}

/** A sink beside those of a scenario. */
function beside(audit: Setup['audit'], own: AuditSink): NonNullable<Setup['audit']> {
  if (audit === undefined) return own
  return 'sink' in audit ? { ...audit, sink: [audit.sink, own].flat() } : [audit, own].flat()
}

function sourcesOf({ sources, skills }: Setup, written: { readonly current: Setup['skills'] }): readonly SkillSource[] {
  if (sources !== undefined) return sources
  if (skills === undefined) return [fixtureSkills()]
  const { id, layer } = writtenSkills({})
  const found = (): readonly MemoryFound[] => writtenSkills(written.current ?? {}).scan() as readonly MemoryFound[]
  /** The folder as it is now, which may not be the one that was scanned. */
  const now = (path: string): MemoryFound['folder'] => found().find((each) => each.path === path)?.folder ?? gone(path)
  return [
    {
      id,
      layer,
      scan: () =>
        found().map((each) => ({
          ...each,
          folder: {
            location: each.folder.location,
            readManifest: () => now(each.path).readManifest(),
            list: () => now(each.path).list(),
            read: (...given) => now(each.path).read(...given),
          },
        })),
    },
  ]
}

type MemoryFound = ReturnType<ReturnType<typeof memorySource>['scan']>[number]

function gone(path: string): never {
  throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
}

function repertoireOptions(
  { repertoire, hooks, mounts }: Setup,
  root: string,
  record: Desk['record'],
): Setup['repertoire'] {
  const run = ({ command, ...more }: { readonly command: string; readonly phase: string; readonly args?: string }) => {
    record('hook', { command, phase: more.phase, args: more.args })
    return hooks?.includes(command) ? { ok: false, output: 'The tree is dirty: $& <x>' } : { ok: true }
  }
  return {
    ...repertoire,
    ...(hooks && { scripts: { ...repertoire?.scripts, hooks: run as never } }),
    ...(mounts && { mounts: privateMounts({ root }) }),
  }
}

/** A copy of a tool that tells each run before it begins, with a copy of its input. */
function recorded(tool: FunctionTool, tell: (run: Omit<Run['toolRuns'][number], 'at'>) => void): FunctionTool {
  return {
    ...tool,
    execute(input, options) {
      tell({ tool: tool.name, input: structuredClone(input), callId: options.callId })
      return tool.execute(input, options)
    },
  }
}
