import { argument, type Fault, results, view } from './break.ts'

const TOOL = 'run_skill_script'

export const scriptsFaults: readonly Fault[] = [
  {
    wrong: 'does not offer the tool that runs scripts',
    caughtBy: ['scripts-offered'],
    session: view((shown) => ({ tools: shown.tools.filter(({ name }) => name !== TOOL) })),
  },
  {
    wrong: 'keeps offering the tool that runs scripts',
    caughtBy: ['scripts-offered'],
    session: (session) => {
      let tool: ReturnType<typeof session.beginStep>['tools'][number] | undefined
      return {
        beginStep(hostTools) {
          const shown = session.beginStep(hostTools)
          const found = shown.tools.find(({ name }) => name === TOOL)
          tool ??= found
          return found === undefined && tool !== undefined ? { ...shown, tools: [...shown.tools, tool] } : shown
        },
      }
    },
  },
  {
    wrong: 'joins the arguments of a script',
    caughtBy: ['scripts-arguments'],
    session: (session) => ({
      call: (call, execute, options) => {
        const { args } = (call.input ?? {}) as { readonly args?: readonly string[] }
        const isList = call.tool === TOOL && Array.isArray(args)
        const joined = isList
          ? { ...call, input: { ...(call.input as object), args: args.join(' ').split(' ') } }
          : call
        return session.call(joined, execute, options)
      },
    }),
  },
  {
    wrong: 'shows the output of scripts with its own words, or whole',
    caughtBy: ['scripts-arguments', 'scripts-output', 'scripts-failing'],
    session: (session) => ({
      async call(call, execute, options) {
        const outcome = await session.call(call, execute, options)
        if (call.tool !== TOOL || !outcome.ok) return outcome
        return { ...outcome, text: argument(outcome.value, 'stdout') }
      },
    }),
  },
  {
    wrong: 'takes the mark off output that was cut',
    caughtBy: ['scripts-output'],
    body: results((text) => text.replace(' truncated="true"', '')),
  },
  {
    wrong: 'throws where a script fails',
    caughtBy: ['scripts-failing'],
    session: (session) => ({
      async call(call, execute, options) {
        const outcome = await session.call(call, execute, options)
        if (call.tool === TOOL && outcome.text?.includes('exit="3"')) throw new Error('The script failed.')
        return outcome
      },
    }),
  },
  {
    wrong: 'says of every script that it ran',
    caughtBy: ['scripts-refused'],
    body: results((text) => (/TOOL_NOT_ALLOWED|RESOURCE_NOT_FOUND/.test(text) ? 'The script ran.' : text)),
  },
  {
    wrong: 'takes the way to run a script out of the refusal to read it',
    caughtBy: ['scripts-read-refusal'],
    body: results((text) => text.replaceAll(TOOL, 'a tool')),
  },
  {
    wrong: 'leaves out of the first activation how scripts are run',
    caughtBy: ['scripts-read-refusal'],
    body: results((text) => (text.startsWith('<skill_content') ? text.replaceAll(TOOL, 'a tool') : text)),
  },
  {
    wrong: 'lets a script run on when its run is aborted',
    caughtBy: ['scripts-abort'],
    session: (session) => ({
      call(call, execute, options) {
        if (call.tool !== TOOL) return session.call(call, execute, options)
        const { signal } = options ?? {}
        const running = session.call(call, execute)
        if (signal === undefined) return running
        return Promise.race([
          running,
          new Promise<never>((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
          }),
        ])
      },
    }),
  },
]
