import type { AdapterDriver } from '@repertoire/conformance'
import { createAgent } from './guide-agent.ts'

export const driver: AdapterDriver = {
  name: 'guide',
  variants: [{ name: 'run' }],
  capabilities: {
    abort: true,
    parallelCalls: true,
    hiding: true,
    compaction: true,
    suspend: { absent: 'consent is asked by a handler' },
    resume: { absent: 'conversations are not stored' },
  },
  start: async ({ endpoint, repertoire, session: options, tools, instructions, maxSteps }) => {
    const session = repertoire.openSession(options)
    const agent = createAgent({ endpoint, session, tools, instructions, maxSteps })
    return {
      send: async (text, { signal } = {}) => ({ status: 'done', text: await agent.run(text, signal) }),
      forget: async () => agent.forget(),
      active: async () => session.state.active.map(({ name }) => name),
      end: () => session.end(),
      answer: () => Promise.reject(new Error('There is nothing to answer.')),
      save: () => Promise.reject(new Error('There is nothing to save.')),
    }
  },
}
