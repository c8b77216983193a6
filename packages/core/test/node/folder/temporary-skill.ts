import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type SkillErrorCode, isSkillError } from '../../../src/index.ts'

export let base: string
export let skill: string

/** Creates a skill's folder for each test of the file that calls it: test files share modules, not hooks. */
export function useTemporarySkill(): void {
  beforeEach(() => {
    base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-folder-'))
    skill = join(base, 'pdf')
    write('SKILL.md', 'manifest')
  })

  afterEach(() => {
    rmSync(base, { recursive: true, force: true })
  })
}

export function write(path: string, content: string | Uint8Array = path): string {
  const whole = join(skill, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, content)
  return whole
}

export const text = async (bytes: Promise<Uint8Array>): Promise<string> => new TextDecoder().decode(await bytes)

export async function refusal(promise: Promise<unknown>): Promise<{ code: SkillErrorCode; message: string }> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isSkillError(error)) throw new Error('no SkillError was thrown', { cause: error })
  return { code: error.code, message: error.message }
}

export const codeOf = async (promise: Promise<unknown>): Promise<SkillErrorCode> => (await refusal(promise)).code
