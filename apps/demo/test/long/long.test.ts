import { sample } from '@repertoire/test-servers/properties'
import { describe, expect, it } from 'vitest'
import { heldOutput, inProcess } from '../demo.ts'
import { longText } from '../../src/render/long-text.ts'
import { screenOf } from '../../src/render/screen.ts'
import type { LongResult } from '../../src/long/result.ts'

const ADAPTERS = ['ai-sdk', 'langchain', 'mastra', 'openai-agents', 'react-loop']

describe('npm run demo -- --long', () => {
  const { chosen, text } = sample(ADAPTERS, 3)

  it(`[DEMO-1, WIN-2, WIN-7] plays 60 steps through every adapter (${text}), within the window and with the active skill`, async () => {
    const named = chosen.flatMap((name) => ['--adapter', name])
    const { code, stdout, stderr } = await inProcess(['--long', '--json', ...named])
    expect([code, stderr]).toEqual([0, ''])
    const { adapters, window, held, ...rest } = JSON.parse(stdout) as LongResult & { readonly mode: string }
    expect([rest.mode, held]).toEqual(['long', true])
    expect(adapters.map(({ adapter }) => adapter)).toEqual(chosen)
    for (const { steps, summaries, largest, unsummarized, withoutInstructions, answer } of adapters) {
      expect([steps, withoutInstructions, answer]).toEqual([60, 0, 'The last chapter is about the keel.'])
      // 80 % of the window, and the JSON around the texts, which the session does not count.
      expect(largest).toBeLessThanOrEqual(0.85 * window)
      expect(largest).toBeGreaterThan(0.7 * window)
      expect(unsummarized).toBeGreaterThan(3 * window)
      expect(summaries).toBeGreaterThan(1)
      // Not at every step: what was summarised once is used again.
      expect(summaries).toBeLessThan(12)
    }
    const drawn = longText({ task: rest.task, adapters, window, held }, screenOf(heldOutput(120)))
    expect(drawn).toContain('✓ Every request keeps to the window')
    const failed = { ...adapters[0]!, failure: 'no \u001B[31manswer' }
    const other = longText({ task: rest.task, adapters: [failed], window, held: false }, screenOf(heldOutput(60)))
    expect(other).toContain('✗ Not every adapter')
    expect(other).not.toContain('\u001B')
  })

  it('[DEMO-1] takes no endpoint of the user', async () => {
    const { code, stderr } = await inProcess([
      '--long',
      '--base-url',
      'http://localhost:1/v1',
      '--model',
      'm',
      'Do it.',
    ])
    expect(code).toBe(2)
    expect(stderr).toContain('--long is a conversation of the scripted model')
  })
})
