import { type ModelEndpoint, openModelEndpoint } from '@repertoire/conformance'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { optionsFor } from './task.ts'

/** Plays scripts to the Claude Code of a test file. */
export function useEndpoint() {
  let endpoint: ModelEndpoint
  let home: string
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
    home = mkdtempSync(join(tmpdir(), 'claude-agent-'))
  })
  afterAll(async () => {
    await endpoint.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  })
  return (script: Parameters<ModelEndpoint['play']>[0]) => {
    const model = endpoint.play(script, { protocol: 'anthropic' })
    const resultOf = (id: string) =>
      model.requests.flatMap(({ messages }) => messages).find(({ callId }) => callId === id)?.text
    return { options: optionsFor(model, home), model, home, resultOf }
  }
}
