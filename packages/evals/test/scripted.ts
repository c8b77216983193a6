import { aiSdkDriver } from '@repertoire/ai-sdk/conformance'
import {
  call,
  type ModelEndpoint,
  openModelEndpoint,
  type ProtocolName,
  say,
  type ScriptStep,
  together,
} from '@repertoire/conformance'
import { activate } from '@repertoire/conformance'
import type { AuditOptions } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { langchainDriver } from '@repertoire/langchain/conformance'
import { openaiAgentsDriver } from '@repertoire/openai-agents/conformance'
import { reactLoopDriver } from '@repertoire/react-loop/conformance'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { EndpointSource, EvalCase } from '../src/index.ts'

export { activate, call, say, together }

/** Adapters through which the harness is proved. */
export const ADAPTERS = [reactLoopDriver, aiSdkDriver, langchainDriver, openaiAgentsDriver] as const

/** A seeded source of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A folder with files, which is removed after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'evals-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** The file of a skill. */
export function skill(name: string, description = `Does ${name}.`): Record<string, string> {
  return { [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n---\nDo ${name}.\n` }
}

/** Opens the skills of a folder for each run. */
export function skillsOf(folder: string, options: Parameters<typeof openSkills>[1] = {}) {
  return (audit: AuditOptions) => openSkills(folder, { ...options, audit })
}

/** A case without files and assertions. */
export function caseOf(given: Partial<EvalCase>): EvalCase {
  const place = { file: '/evals.json', line: 1 }
  return { id: 'case', prompt: 'Fill the form.', files: [], assertions: [], place, ...given }
}

/** A model that plays a script for each run. */
export async function scripted(
  script: (run: number) => readonly ScriptStep[],
  protocol: ProtocolName = 'openai',
): Promise<EndpointSource & { readonly endpoint: ModelEndpoint }> {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  let runs = 0
  return {
    endpoint,
    model: 'scripted',
    async open() {
      const play = endpoint.play(script(runs++), { protocol })
      return { endpoint: play, finish: async () => play.close() }
    },
  }
}
