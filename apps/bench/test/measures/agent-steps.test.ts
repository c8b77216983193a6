import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PrepareAgent } from '../../src/adapters/agent.ts'
import { ADAPTERS, type AdapterId } from '../../src/adapters/index.ts'
import { writeTree } from '../../src/generator/tree.ts'
import { timeAgentScripts, timeAgentSteps } from '../../src/measures/agent-steps.ts'
import { temporary } from '../temporary.ts'

const LITTLE = { runs: 1, warmUp: 0, calls: 2 }

it.each(Object.keys(ADAPTERS) as AdapterId[])(
  '[NFR-6] times steps of %s without skills and with them, and scripts of skills, each of which ran',
  async (adapter) => {
    const root = join(temporary(), 'skills')
    writeTree(root, 5, 1)
    const { prepareAgent } = await ADAPTERS[adapter].load()
    for (const { plain, skilled } of [
      await timeAgentSteps(prepareAgent, { root, ...LITTLE }),
      await timeAgentScripts(prepareAgent, LITTLE),
    ]) {
      expect([plain.length, skilled.length]).toEqual([1, 1])
      expect(Math.min(...plain, ...skilled)).toBeGreaterThan(0)
    }
  },
)

it('[NFR-6] an agent that answers without carrying out its calls is a failure and no figure', async () => {
  const idle: PrepareAgent = () => ({ run: async (calls) => calls.map(() => 1) })
  const root = join(temporary(), 'skills')
  writeTree(root, 1, 1)
  await expect(timeAgentSteps(idle, { root, ...LITTLE })).rejects.toThrow('0 of 2 calls were carried out (plain)')
  await expect(timeAgentScripts(idle, LITTLE)).rejects.toThrow('0 of 2 calls were carried out (plain)')
})
