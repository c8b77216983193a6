import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { skillsFor } from './search-example.ts'

it('[ADPT-4, MATCH-6] shows on the page of the search a program that finds skills', async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-docs-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  onTestFinished(() => warned.mockRestore())
  for (const [name, description] of [
    ['pdf-forms', 'Fills in PDF forms.'],
    ['mixer', 'Edits audio tracks.'],
  ]) {
    mkdirSync(join(root, name!))
    writeFileSync(join(root, name!, 'SKILL.md'), `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`)
  }
  expect(await skillsFor(root, ['fill a PDF form', 'AcroForm fields'], 'coder')).toEqual(['pdf-forms'])
  expect(warned).not.toHaveBeenCalled()
})
