import { type Fault, view } from './break.ts'

export const searchFaults: readonly Fault[] = [
  {
    wrong: 'offers the skill tools that it knows, and not all of the step',
    caughtBy: ['listing-search'],
    session: view((shown) => ({ tools: shown.tools.filter(({ name }) => name !== 'search_skills') })),
  },
  {
    wrong: 'lets a model activate only what is listed',
    caughtBy: ['listing-search'],
    session: view((shown) => ({
      tools: shown.tools.map((tool) =>
        tool.name === 'activate_skill'
          ? { ...tool, inputSchema: { type: 'object', properties: { name: { type: 'string', enum: ['skill-000'] } } } }
          : tool,
      ),
    })),
  },
  {
    wrong: "judges a search by the active skill's rules",
    caughtBy: ['listing-search-restricted'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(
          call.tool === 'search_skills' && session.state.active.length > 0 ? { ...call, tool: 'Write' } : call,
          execute,
          options,
        ),
    }),
  },
  {
    wrong: 'begins a turn with the first message alone',
    caughtBy: ['turns-matched'],
    session(session) {
      let turns = 0
      return {
        beginTurn: (message, options) =>
          turns++ === 0 ? session.beginTurn(message, options) : Promise.resolve({ activated: [], suggested: [] }),
      }
    },
  },
]
