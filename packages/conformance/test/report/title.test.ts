import { expect, test } from 'vitest'
import { checks } from '../../src/checks/index.ts'
import { titleParts } from '../../src/report/title.ts'

test.each([
  ['[GATE-1] hides what is not allowed', ['GATE-1'], 'hides what is not allowed'],
  ['[GATE-1, ABUSE-44] refuses [it]', ['GATE-1', 'ABUSE-44'], 'refuses [it]'],
  ['refuses it [GATE-1]', [], 'refuses it [GATE-1]'],
  ['[] refuses it', [], 'refuses it'],
  ['[GATE-1', [], '[GATE-1'],
  ['', [], ''],
])('[CONF-3] takes the title "%s" apart', (title, requirements, demand) => {
  expect(titleParts(title)).toEqual({ requirements, demand })
})

test('[CONF-3] finds requirements and a demand in every check that there is', () => {
  for (const { title } of checks) {
    const { requirements, demand } = titleParts(title)
    expect(requirements).not.toEqual([])
    for (const id of requirements) expect(id).toMatch(/^[A-Z]+-\d+$/)
    expect(`[${requirements.join(', ')}] ${demand}`).toBe(title)
  }
})
