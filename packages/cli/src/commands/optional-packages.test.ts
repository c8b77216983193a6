// Beside its source: where the command is installed cannot be chosen through an entry point.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isInstalled, missingPackage, missingText } from './optional-packages.ts'

const MAIN = 'node_modules/repertoire/dist/main.js'

it('names the line that installs a missing package where the command itself is: a project, all projects, npx', () => {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-optional-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(missingText('just-bash', join(folder, 'lib', MAIN))).toBe(
    'The package "just-bash" is not installed. The virtual shell, which runs scripts in memory, needs it. Run: npm i -g just-bash',
  )
  writeFileSync(join(folder, 'package.json'), '{}')
  expect(missingText('just-bash', join(folder, MAIN))).toMatch(/ Run: npm i -D just-bash$/)
  expect(missingText('just-bash', join(folder, '_npx/1234', MAIN))).toMatch(
    / Run: npx -p repertoire -p just-bash repertoire …$/,
  )
})

it('recognises a missing optional package as the cause of an error, and no other', () => {
  expect(isInstalled('just-bash')).toBe(true)
  const missing = new Error("Cannot find package '@modelcontextprotocol/client' imported from /x.js")
  expect(missingPackage(new Error('No server answers.', { cause: missing }))).toBe('@modelcontextprotocol/client')
  expect(missingPackage(new Error("Cannot find package 'left-pad' imported from /x.js"))).toBeUndefined()
})
