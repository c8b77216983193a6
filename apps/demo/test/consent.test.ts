import type { SkillConsentRequest } from '@repertoire/core'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { answerAll, askPerson } from '../src/consent.ts'

const REQUEST = { skill: 'pdf', source: 's', digest: 'd', text: 'Activate the skill "pdf"?' } as SkillConsentRequest

/** A person who answers each question with the next of some lines, and then leaves. */
function person(...lines: readonly string[]) {
  const rest = [...lines]
  const input = new PassThrough()
  const output = new PassThrough().setEncoding('utf8')
  let seen = ''
  output.on('data', (text: string) => {
    seen += text
    if (!text.includes('[y/N]')) return
    const line = rest.shift()
    if (line === undefined) input.end()
    else input.write(`${line}\n`)
  })
  return { decide: askPerson({ input, output, before: () => {} }), seen: () => seen }
}

it.each([
  ['y', true],
  ['Yes', true],
  ['', false],
  ['n', false],
  ['yy', false],
  ['maybe', false],
])('[DEMO-1, ASK-1] takes %j of a person as %j', async (line, approved) => {
  const { decide, seen } = person(line)
  expect(await decide(REQUEST)).toMatchObject({ approved })
  expect(seen()).toContain('Activate the skill "pdf"?\nActivate it, in every adapter? [y/N] ')
})

it('[DEMO-1, ASK-1] takes it as a no where the person has left', async () => {
  expect(await person().decide(REQUEST)).toEqual({ approved: false, reason: 'the user said no' })
})

it('[DEMO-1] asks once for each skill in the same bytes, and anew where a byte is another', async () => {
  const { decide, seen } = person('y', 'n')
  expect(await decide(REQUEST)).toEqual({ approved: true })
  expect(await decide({ ...REQUEST, id: 'of another adapter' })).toEqual({ approved: true })
  expect(await decide({ ...REQUEST, digest: 'e' })).toMatchObject({ approved: false })
  expect(seen().match(/\[y\/N\]/g)).toHaveLength(2)
})

it('[DEMO-1] says yes to all or no to all where nobody is asked', async () => {
  expect(await answerAll(true)(REQUEST)).toEqual({ approved: true })
  expect(await answerAll(false)(REQUEST)).toEqual({ approved: false, reason: 'nobody is there to be asked' })
})
