import { type Fault, results, ungated, view, without } from './break.ts'

const isOwnTool = (name: string): boolean => name.startsWith('skill_')

export const executionFaults: readonly Fault[] = [
  {
    wrong: 'reads the result of a skill as a template once more',
    caughtBy: ['execution-template'],
    body: results((text) => text.replaceAll(/\{\{.*?\}\}/g, '')),
  },
  {
    wrong: 'gives every tool of a skill the same input',
    caughtBy: ['execution-parameters'],
    session: view((shown) => ({
      tools: shown.tools.map((tool) =>
        isOwnTool(tool.name)
          ? { ...tool, inputSchema: { type: 'object', properties: { args: { type: 'string' } } } }
          : tool,
      ),
    })),
  },
  {
    wrong: 'passes on only what it knows of the input of a tool of a skill',
    caughtBy: ['execution-parameters', 'execution-parameters-refused'],
    session: (session) => ({
      call(call, execute, options) {
        const { args } = (call.input ?? {}) as { readonly args?: unknown }
        return session.call(isOwnTool(call.tool) ? { ...call, input: { args } } : call, execute, options)
      },
    }),
  },
  {
    wrong: 'says of parameters only that they are wrong',
    caughtBy: ['execution-parameters-refused'],
    body: results((text) =>
      text.includes('INPUT_INVALID') ? '{"error":{"code":"INPUT_INVALID","reason":"Wrong."}}' : text,
    ),
  },
  {
    wrong: 'lets the model carry out a plan without the gate',
    caughtBy: ['execution-plan'],
    session: ungated((tool) => tool === 'Bash'),
  },
  {
    wrong: 'drops what carries out the steps of plans',
    caughtBy: ['execution-plan-run'],
    options: (options) => without(options, 'runStep'),
  },
  {
    wrong: 'shows only how a script ended',
    caughtBy: ['execution-script'],
    body: results((text) => (text.startsWith('<skill_output') ? (text.split('\n')[0] ?? '') : text)),
  },
  {
    wrong: 'carries a call out again that has waited for an answer',
    caughtBy: ['execution-script-suspends'],
    session: (session) => ({
      async call(call, execute, options) {
        const outcome = await session.call(call, execute, options)
        return call.tool === 'activate_skill' ? session.call(call, execute, options) : outcome
      },
    }),
  },
  {
    wrong: 'adds to a message only what has become active by it',
    caughtBy: ['execution-invoked'],
    session: (session) => ({
      async beginTurn(message, options) {
        const { text, ...turn } = await session.beginTurn(message, options)
        return text === undefined || session.state.active.length === 0 ? turn : { ...turn, text }
      },
    }),
  },
  {
    wrong: 'does not offer the tools that skills bring',
    caughtBy: ['execution-toolset', 'execution-toolset-resumed'],
    session: view((shown) => ({ tools: shown.tools.filter(({ group }) => group !== 'toolset') })),
  },
  {
    wrong: 'does not wait for the tools of a saved session',
    caughtBy: ['execution-toolset-resumed'],
    session: () => ({ ready: () => Promise.resolve() }),
  },
]
