import { describe, expect, it } from 'vitest'
import {
  adviseSkill,
  DIAGNOSTIC_CODES,
  frontmatterJsonSchema,
  isSkillError,
  parseSkill,
  renderSkill,
} from '../src/index.ts'
import { lint } from './read-skill-example.ts'

const TEXT = `---
name: pdf-forms
description: Fills in PDF forms. Use when a person asks to complete a form.
allowed-tools: Read, Bash(pdftk:*)
---
Read [the form](form.md) first.
`

describe('the root entry of skill-md', () => {
  it('reads a SKILL.md, reports its problems and writes it as the standard has it', async () => {
    const { problems, standard } = await lint(TEXT, 'pdf-form')
    expect(problems).toEqual([
      expect.stringMatching(/^warning, line 2: The name is "pdf-forms", and the folder is "pdf-form"/),
      expect.stringMatching(/^warning, line 4: The field "allowed-tools" is separated by commas/),
    ])
    expect(standard).toBe(TEXT.replace('Read, Bash', 'Read Bash'))
  })

  it('advises on links of the body that lead nowhere', async () => {
    const none = { files: [], truncated: false, refused: [] }
    const folder = {
      location: '/skills/pdf-forms',
      readManifest: () => Promise.resolve(new TextEncoder().encode(TEXT)),
      list: () => Promise.resolve({ ...none, withheld: none }),
      read: () => Promise.reject(new Error('There is no other file.')),
    }
    const advice = await adviseSkill(await parseSkill(TEXT), folder)
    expect(advice).toMatchObject([{ severity: 'info', path: '/skills/pdf-forms/SKILL.md', line: 6 }])
    expect(Object.keys(DIAGNOSTIC_CODES)).toContain(advice[0]!.code)
  })

  it('refuses to write what could not be read again, with a typed error', async () => {
    const error = await renderSkill({ manifest: { name: 'Not A Name', description: '' }, body: '' }).catch(
      (e: unknown) => e,
    )
    expect([isSkillError(error), error]).toMatchObject([true, { code: 'MANIFEST_INVALID' }])
  })

  it('has the frontmatter as JSON Schema', async () => {
    expect(await frontmatterJsonSchema()).toMatchObject({
      type: 'object',
      required: expect.arrayContaining(['name', 'description']),
    })
  })
})
