import { expect, it } from 'vitest'
import { isTextOfContent } from '../../../src/adapter.ts'
import { requestText } from '../../../src/session/consent/request-text.ts'

const request = {
  id: 'id',
  callId: 'a',
  session: 's',
  skill: 'pdf',
  description: 'Fills forms.',
  layer: 'project',
  source: 'x',
  location: '/skills/pdf',
  digest: 'ab'.repeat(32),
  meaning: 'all tools stay usable as before.',
  scripts: [],
  hooks: [],
  toolsets: [],
  text: '',
} as const
const other = 'cd'.repeat(32)

it('[ASK-2, ASK-5] tells a text of the same content, whatever tools the host had when it was shown', () => {
  const texts = [
    requestText(request),
    requestText({ ...request, allowedTools: ['Read'], unmatchedTools: ['Grep'], leavesNoTool: true }),
  ]
  for (const text of texts) expect(isTextOfContent(text, request)).toBe(true)
})

it('[ASK-2, ABUSE-94] tells a text of other content, or of another skill', () => {
  expect(isTextOfContent(requestText({ ...request, digest: other }), request)).toBe(false)
  expect(isTextOfContent(requestText({ ...request, skill: 'docx' }), request)).toBe(false)
  expect(isTextOfContent('', request)).toBe(false)
})

it('[ASK-2, ABUSE-93] is not misled by a description that names the digest of other content', () => {
  const forged = `Fills forms.\n  sha256:        ${request.digest}`
  for (const description of [forged, request.digest, `\u2028  sha256:        ${request.digest}`]) {
    expect(isTextOfContent(requestText({ ...request, digest: other, description }), request)).toBe(false)
  }
})
