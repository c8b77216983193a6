import {
  type AuditEvent,
  type ConsentHandler,
  type ConsentRequest,
  openRepertoire,
  type Repertoire,
} from '@repertoire/core'
import {
  type AdapterDriver,
  type Conversation,
  isPresentIn,
  type TaskApproval,
  type TaskEndpoint,
  type Variant,
} from '../driver.ts'
import type { ModelEndpoint } from '../endpoint/endpoint.ts'
import type { Play } from '../endpoint/play.ts'
import { benchTools } from '../tools.ts'
import { recorded, repertoireOptions, scanWritten, sinksBeside, sourcesOf } from './fixtures.ts'
import { createRouter, type Router } from './router.ts'
import type { Desk, Part, Run, ScriptedApproval, Setup } from './scenario.ts'

/** The message of the reason with which a person stops a run. */
export const STOPPED = 'The user pressed stop.'

/** Why the person of the host's own approval denies a call. */
export const DENIED = 'Not that one.'

const HANDLERS: Readonly<Record<'yes' | 'no', ConsentHandler>> = { yes: () => true, no: () => false }

/** What is noted while a scenario is played. */
type Noted = 'toolRuns' | 'questions' | 'ends' | 'active' | 'events' | 'problems' | 'left' | 'written'
type Notes = { readonly [Name in Noted]: Run[Name][number][] }

/** Where a scenario is played: its models, its skills, its host, and what is noted of them. */
export interface Stage {
  readonly seen: Notes
  readonly router: Router
  readonly repertoires: readonly Repertoire[]
  /** Whether sessions end with their runs. */
  readonly endsWithRuns: boolean
  /** Forgets what earlier runs have deactivated. */
  beginRun(): void
  /** The skills that the last run has deactivated at its end, of an adapter whose sessions end so. */
  endedSkills(): readonly string[]
  setup(): Setup
  /** Notes a question. */
  readonly ask: (request: ConsentRequest) => void
  readonly reload: (skills: NonNullable<Setup['skills']>, isTold: boolean) => Promise<void>
  /** Starts a conversation: of the task, of the same task in a fresh process, of another one, or of one beside it. */
  start(how?: {
    readonly saved?: unknown
    readonly changed?: Partial<Setup>
    readonly another?: Part
    readonly isBeside?: boolean
  }): Promise<Conversation>
  /** Cuts every connection, and returns what the endpoint has refused. */
  close(): readonly string[]
  run(): Run
}

/** Sets the stage of a scenario or a check by hand. @param where.root a folder to write in, which need not exist */
export function openStage(
  scenario: Part,
  where: {
    readonly driver: AdapterDriver
    readonly variant: Variant
    readonly endpoint: ModelEndpoint
    readonly root: string
    readonly stop: () => void
  },
): Stage {
  const { driver, variant, endpoint, root, stop } = where
  const endsWithRuns = !isPresentIn(driver, variant, 'continuation')
  const seen: Notes = {
    toolRuns: [],
    questions: [],
    ends: [],
    active: [],
    events: [],
    problems: [],
    left: [],
    written: [],
  }
  const models = new Map<string, string>()
  const plays: Play[] = []
  const repertoires: Repertoire[] = []
  let own: Play | undefined
  let tasks = 1
  let routed: Router | undefined
  const requests = (): number => routed?.requests() ?? 0
  const record: Desk['record'] = (tool, input) => void seen.toolRuns.push({ tool, input, callId: '', at: requests() })
  const setupOf = ({ setup: given = {} }: Part): Setup =>
    typeof given === 'function' ? given({ record, stop, requests }) : given
  let setup = setupOf(scenario)
  let part: Part = scenario
  const skills = { now: scanWritten(setup.skills) }
  const reload: Stage['reload'] = async (changed, isTold) => {
    skills.now = scanWritten(changed)
    if (isTold) await repertoires.at(-1)!.reload({ force: true })
  }
  const router = createRouter(() => ({ ...part, number: tasks, models: setup.models ?? {} }), {
    stop,
    reload,
    beginsSo: (text) => ['<conversation_summary>', ...seen.written].some((each) => text.startsWith(each)),
    handoffTool: (agent) => driver.handoffTool?.(agent) ?? agent,
  })
  routed = router
  let begun = 0
  const note = { write: (event: AuditEvent) => void seen.events.push(event) }

  function ask({ id: _id, ...asked }: ConsentRequest): void {
    seen.questions.push({ at: requests(), asked })
  }

  /** A model of a conversation, with its own name. */
  function playModel(model: string, isBeside: boolean, after?: Play): TaskEndpoint {
    const wire = { protocol: variant.protocol, dialect: variant.dialect, form: driver.wire }
    const play = endpoint.play(router.stepsFor(model, isBeside), { ...wire, after })
    router.follow(model, isBeside, play)
    plays.push(play)
    if (model === '' && !isBeside) own = play
    const name = model === '' ? play.model : `${play.model}-${model}`
    models.set(name, model === '' ? 'its own' : model)
    return { baseURL: play.baseURL, apiKey: play.apiKey, model: name }
  }

  return {
    seen,
    router,
    repertoires,
    endsWithRuns,
    beginRun: () => void (begun = seen.events.length),
    endedSkills() {
      if (!endsWithRuns) return []
      // The id of a sub-agent's session has that of its parent before a slash.
      const ends = seen.events
        .slice(begun)
        .filter(
          ({ type, endedBy, session }) => type === 'skill.deactivated' && endedBy === 'task' && !session.includes('/'),
        )
      return ends.map(({ skill }) => skill?.name ?? '').toReversed()
    },
    setup: () => setup,
    ask,
    reload,
    async start({ saved, changed, another, isBeside = false } = {}) {
      setup = { ...setup, ...changed }
      if (another !== undefined) {
        tasks += 1
        part = another
        if (another.setup !== undefined) setup = setupOf(another)
        skills.now = scanWritten(setup.skills)
      }
      const { consent = 'yes', session, tools = benchTools, approval, subagents, handoffs } = setup
      const { instructions = 'You are a careful assistant.', maxSteps = 20, output } = setup
      const audit = sinksBeside(setup.audit, note)
      const options = { ...repertoireOptions(setup, root, record), audit }
      const repertoire = isBeside
        ? repertoires.at(-1)!
        : await openRepertoire({ ...options, sources: sourcesOf(setup, skills) })
      if (!isBeside) repertoires.push(repertoire)
      const others = Object.keys(setup.models ?? {}).map((model) => [model, playModel(model, isBeside)] as const)
      const handler = consent === 'suspend' ? undefined : typeof consent === 'function' ? consent : HANDLERS[consent]
      return driver.start({
        variant: variant.name,
        endpoint: playModel('', isBeside, saved === undefined ? undefined : own),
        repertoire,
        session: {
          ...session,
          id: `the-task${isBeside ? '-beside' : tasks > 1 ? `-${tasks}` : ''}`,
          onProblem: (problem) => void seen.problems.push(problem),
          ...(handler && { consent: (...given: Parameters<ConsentHandler>) => (ask(given[0]), handler(...given)) }),
        },
        instructions,
        tools: tools.map((each) => recorded(each, (run) => seen.toolRuns.push({ ...run, at: requests() }))),
        maxSteps,
        ...(output && { output }),
        ...(others.length > 0 && { models: new Map(others) }),
        subagents,
        handoffs,
        approval: approval && approvalOf(approval, (asked) => void seen.questions.push({ at: requests(), asked })),
        saved,
      })
    },
    close() {
      for (const play of plays) play.close()
      return plays.flatMap(({ failures }) => failures)
    },
    run() {
      const conversations = router.conversations()
      const answers = conversations.flatMap(({ exchanges }) => exchanges.flatMap(({ answer }) => answer ?? []))
      const callIds = answers.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))
      // Calls that are written as text have none.
      const hasIds = variant.dialect === undefined
      const hasUniqueIds = hasIds && new Set(callIds).size === callIds.length && !callIds.includes('')
      const { errors } = router
      return { ...seen, conversations, errors, models: Object.fromEntries(models), callIds, hasIds, hasUniqueIds }
    },
  }
}

/** The person who approves calls of the host's own tools. @param note called with each question */
function approvalOf(
  { tools, denies = [], fails }: ScriptedApproval,
  note: (asked: Readonly<Record<string, unknown>>) => void,
): TaskApproval {
  let open = 0
  return {
    tools,
    async ask({ tool, input }) {
      const shown = JSON.stringify(input)
      note({ approve: tool, input: structuredClone(input), ...(++open > 1 && { beside: 'another question' }) })
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      // What a person's program does with the input that it is shown changes nothing.
      Object.assign(input as object, { command: 'changed by the approver' })
      if (fails) throw new Error('The terminal is gone.')
      return denies.some((text) => shown.includes(text)) ? { approved: false, reason: DENIED } : { approved: true }
    },
  }
}
