import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { isSkillError } from '../../../src/index.ts'
import { type Configuration, type ConfigurationOptions, loadConfiguration } from '../../../src/node/index.ts'

export const userVariable = process.platform === 'win32' ? 'USERPROFILE' : 'HOME'

export let base: string
export let home: string
export let project: string
export let userFile: string
export let projectFile: string

/** Creates a home folder and a project for each test of the file that calls it: test files share modules, not hooks. */
export function useTemporaryConfiguration(): void {
  beforeEach(() => {
    base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-configuration-'))
    home = join(base, 'home')
    project = join(base, 'project')
    userFile = join(home, '.config/repertoire/repertoire.config.json')
    projectFile = join(project, '.repertoire/config.json')
    mkdirSync(home)
    mkdirSync(project)
  })

  afterEach(() => {
    rmSync(base, { recursive: true, force: true })
  })
}

export function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
}

export const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  [userVariable]: home,
  ...more,
})
export const load = (options: ConfigurationOptions = {}): Promise<Configuration> =>
  loadConfiguration({ env: environment(), ...options })

/** The message of the refusal of a configuration. */
export async function refusal(options?: ConfigurationOptions): Promise<string> {
  const error: unknown = await load(options).catch((thrown: unknown) => thrown)
  if (!isSkillError(error)) throw new Error('It was accepted.', { cause: error })
  expect(error.code).toBe('CONFIGURATION_INVALID')
  return error.message
}
