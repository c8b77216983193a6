import type { ConsentHandler, ForkRequest, ForkRunner, Repertoire, StepView } from '@repertoire/core'
import {
  type AdapterSessionOptions,
  adapterSession,
  openAdapterSession,
  type AdapterSession,
  type CallInspection,
  type CallOptions,
} from '@repertoire/core/adapter'
import type { AdapterDriver, Conversation, TaskSetup } from '../../src/driver.ts'
import { type ChatBody, type ChatMessage, loopDriver, startLoop } from '../loop-driver.ts'

/** One thing that an adapter gets wrong, and the checks that must find it out. */
export interface Fault {
  /** What it does, in words. */
  readonly wrong: string
  readonly caughtBy: readonly string[]
  /** What every reason contains, if the fault ends a check with an error instead of a failed expectation. */
  readonly because?: string
  /** How long a check may take with it, in milliseconds, where it makes the adapter hang. Default 5,000. */
  readonly deadline?: number
  /** Which protocol it speaks. Default: chat completions. */
  readonly protocol?: 'gemini'
  /** Changes what is sent to the model. */
  readonly body?: (body: ChatBody) => ChatBody
  /** Replaces parts of every session that the adapter opens. */
  readonly session?: (session: AdapterSession, task: TaskSetup) => Partial<AdapterSession>
  /** Changes the options with which the adapter opens sessions. */
  readonly options?: (options: AdapterSessionOptions) => AdapterSessionOptions
  /** Changes what the adapter was set up with. */
  readonly task?: (task: TaskSetup) => TaskSetup
  /** Replaces parts of the conversation. */
  readonly conversation?: (conversation: Conversation, task: TaskSetup) => Partial<Conversation>
}

/** The wrapper without a fault: it must pass every check, or a fault proves nothing. */
export const behaving: Fault = {
  wrong: 'behaves',
  caughtBy: [],
  body: (body) => body,
  session: () => ({}),
  options: (options) => ({ ...options }),
  task: (task) => ({ ...task }),
  conversation: () => ({}),
}

/**
 * The behaving loop with one fault built in.
 * @param onMisuse called with every error of core that says that the wrapper itself is wrong, which is no fault of an adapter
 */
export function brokenDriver(fault: Fault, onMisuse: (error: TypeError) => void = () => {}): AdapterDriver {
  return loopDriver({
    name: fault.wrong,
    ...(fault.protocol !== undefined && { variants: [{ name: fault.protocol, protocol: fault.protocol }] }),
    start: async (given) => {
      const task = fault.task?.(given) ?? given
      const conversation = startLoop(
        { ...task, repertoire: brokenRepertoire(task.repertoire, fault, task, onMisuse) },
        fault.body,
      )
      return { ...conversation, ...fault.conversation?.(conversation, task) }
    },
  })
}

function brokenRepertoire(
  repertoire: Repertoire,
  fault: Fault,
  task: TaskSetup,
  onMisuse: (error: TypeError) => void,
): Repertoire {
  return {
    ...repertoire,
    openSession: (options = {}) =>
      noticing(onMisuse, () => {
        const session = openAdapterSession(repertoire, fault.options?.(options) ?? options)
        const replaced = fault.session?.(session, task) ?? {}
        const watched = new Proxy(replaced, {
          get(target, key) {
            const value: unknown = Reflect.get(target, key)
            if (typeof value !== 'function') return value
            return (...given: unknown[]): unknown => noticing(onMisuse, () => Reflect.apply(value, target, given))
          },
        })
        return over(session, watched)
      }),
  }
}

/** Runs a function, and reports an error or a rejection in which core names the function that was called wrongly. */
function noticing<T>(onMisuse: (error: TypeError) => void, run: () => T): T {
  const notice = (error: unknown): never => {
    if (error instanceof TypeError && /^\w+: /.test(error.message)) onMisuse(error)
    throw error
  }
  try {
    const value = run()
    return value instanceof Promise ? (value.catch(notice) as T) : value
  } catch (error) {
    return notice(error)
  }
}

/** The same object with some of its properties replaced; its getters stay alive. */
export function over<T extends object>(object: T, replaced: Partial<T>): T {
  return new Proxy(object, {
    get: (target, key) =>
      (Object.hasOwn(replaced, key) ? Reflect.get(replaced, key) : Reflect.get(target, key)) as unknown,
  })
}

/** Replaces parts of what a session says about a call before it is made. */
export function inspecting(
  change: (inspected: CallInspection) => Partial<CallInspection>,
): (session: AdapterSession) => Partial<AdapterSession> {
  return (session) => ({
    async inspect(call) {
      const inspected = await session.inspect(call)
      return { ...inspected, ...change(inspected) }
    },
  })
}

/** Replaces parts of what every step shows. */
export function view(
  change: (view: StepView) => Partial<StepView>,
): (session: AdapterSession) => Partial<AdapterSession> {
  return (session) => ({
    beginStep(hostTools) {
      const shown = session.beginStep(hostTools)
      return { ...shown, ...change(shown) }
    },
  })
}

/** Changes the text of the system prompt. */
export const system = (change: (text: string) => string) =>
  view((shown) => ({ system: (own) => change(shown.system(own) ?? '') }))

/** Changes the text of some results. */
export function results(change: (text: string, message: ChatMessage) => string): (body: ChatBody) => ChatBody {
  return (body) => ({
    ...body,
    messages: body.messages.map((message) =>
      message['role'] === 'tool' ? { ...message, content: change(String(message['content']), message) } : message,
    ),
  })
}

/** Runs a call of a host's tool without asking the session, if it is one of those. */
export function ungated(
  which: (tool: string, input: unknown) => boolean,
  real: (tool: string) => string = (tool) => tool,
) {
  return (session: AdapterSession): Partial<AdapterSession> => ({
    async call(call, execute, options) {
      if (/^skill_|_skill$|^read_skill_resource$/i.test(call.tool) || !which(call.tool, call.input)) {
        return session.call(call, execute, options)
      }
      return { ok: true, value: await execute?.({ ...call, tool: real(call.tool) }) }
    },
  })
}

/** What was given but for one of its properties. */
export function without<T extends object, Name extends keyof T>(given: T, name: Name): Omit<T, Name> {
  return Object.fromEntries(Object.entries(given).filter(([key]) => key !== name)) as Omit<T, Name>
}

type ChangeOptions = (options: AdapterSessionOptions) => AdapterSessionOptions

/** Opens sessions without one of the host's options. */
export const dropping =
  (name: keyof AdapterSessionOptions): ChangeOptions =>
  (options) =>
    without(options, name)

/** Opens sessions in another way where they were saved, and as usual otherwise. */
export const whereSaved =
  (change: ChangeOptions): ChangeOptions =>
  (options) =>
    options.saved === undefined ? options : change(options)

/** The function that answers requests for consent, however it was given. */
export const handlerOf = (consent: AdapterSessionOptions['consent']): ConsentHandler | undefined =>
  typeof consent === 'function' ? consent : consent?.ask

export const argument = (input: unknown, name: string): string =>
  (input as Readonly<Record<string, string>>)[name] ?? ''

/** Ends and opens the session anew before some calls, as an adapter does that keeps its state in the wrong place. */
export function forgetful(when: (call: { tool: string; input: unknown }, calls: number) => boolean) {
  return (session: AdapterSession, task: TaskSetup): Partial<AdapterSession> => {
    let current = session
    let calls = 0
    return {
      get state() {
        return current.state
      },
      beginStep: (hostTools) => current.beginStep(hostTools),
      openConsent: (call) => current.openConsent(call),
      answer: (answer) => current.answer(answer),
      save: () => current.save(),
      end: () => current.end(),
      call(call, execute, options) {
        if (when(call, calls++)) {
          current = openAdapterSession(task.repertoire, task.session)
          current.beginStep(task.tools.map(({ name }) => name))
        }
        return current.call(call, execute, options)
      },
    }
  }
}

/** Changes how sub-agents are run, whoever wants them. */
export function forking(
  run: (request: ForkRequest, runner: ForkRunner) => ReturnType<ForkRunner>,
): (session: AdapterSession) => Partial<AdapterSession> {
  const changed = <Options extends CallOptions>(options: Options): Options => {
    const { fork } = options
    return fork === undefined ? options : { ...options, fork: async (request) => run(request, fork) }
  }
  return (session) => ({
    call: (call, execute, options = {}) => session.call(call, execute, changed(options)),
    beginTurn: (message, options = {}) => session.beginTurn(message, changed(options)),
  })
}

/** Replaces parts of the sessions of sub-agents. */
export function inForks(
  replaced: (child: AdapterSession) => Partial<AdapterSession>,
): (session: AdapterSession) => Partial<AdapterSession> {
  return forking((request, run) =>
    run({ ...request, session: over(request.session, replaced(adapterSession(request.session))) }),
  )
}

/** A conversation that begins anew with every message. */
export function forgetsBetweenMessages(first: Conversation, task: TaskSetup): Partial<Conversation> {
  let current = first
  let sent = 0
  return {
    send(text, options) {
      if (sent++ > 0) current = startLoop(task)
      return current.send(text, options)
    },
    active: () => (sent > 1 ? current.active() : Promise.resolve([])),
    end: () => current.end(),
  }
}
