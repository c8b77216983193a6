import { describe, expect, it } from 'vitest'
import { compareListings, compareRuns } from '../src/compare.ts'
import type { AdapterRecord, Received } from '../src/record.ts'

const TOOL = { name: 'Read', description: 'Reads a file.', inputSchema: { type: 'object', properties: {} } }
const FIRST: Received = { system: 'Be careful.', tools: [TOOL], messages: [{ role: 'user', text: 'Go.' }] }
const SECOND: Received = {
  ...FIRST,
  messages: [
    ...FIRST.messages,
    { role: 'assistant', text: '', calls: [{ id: 'call_1_1', tool: 'Read', arguments: '{"file_path":"a","from":1}' }] },
    { role: 'tool', text: 'content of a', callId: 'call_1_1' },
  ],
}

function record(adapter: string, changes: Partial<AdapterRecord> = {}): AdapterRecord {
  return {
    adapter,
    requests: [FIRST, SECOND],
    runs: [{ callId: 'call_1_1', tool: 'Read', input: { file_path: 'a', from: 1 } }],
    consents: [{ callId: 'call_1_1', skill: 'pdf', text: 'Activate?', approved: true }],
    answer: 'Done.',
    files: { a: 'content of a' },
    ...changes,
  }
}

/** A second request with other messages after the first. */
function second(changes: Readonly<Record<number, object>>): Partial<AdapterRecord> {
  const messages = SECOND.messages.map((message, index) => ({ ...message, ...changes[index] }))
  return { requests: [FIRST, { ...SECOND, messages }] }
}

describe('compareRuns', () => {
  it('[DEMO-1, ADPT-8] does not compare the tools that a framework offers which cannot hide any', () => {
    const tools = [{ ...TOOL, name: 'Write' }, TOOL]
    const requests = [FIRST, SECOND].map((request) => ({ ...request, tools }))
    const kept = record('b', { requests, hidesTools: false })
    expect(compareRuns([record('a'), kept])).toMatchObject({ agreed: true, differences: [] })
    expect(compareRuns([record('a'), record('c', { requests }), kept]).agreed).toBe(false)
    const other = requests.map((request) => ({ ...request, system: 'Be quick.' }))
    expect(compareRuns([record('a'), { ...kept, requests: other }]).differences).toMatchObject([
      { where: 'request 1: system prompt' },
    ])
  })

  it('[DEMO-1] finds that runs agree, whatever the order of keys and the spelling of arguments', () => {
    const [call] = SECOND.messages[1]!.calls!
    const calls = [{ ...call!, arguments: '{ "from": 1, "file_path": "a" }' }]
    const other = record('b', {
      ...second({ 1: { calls } }),
      runs: [{ tool: 'Read', input: { from: 1, file_path: 'a' }, callId: 'call_1_1' }],
    })
    expect(compareRuns([record('a'), other, record('c')])).toEqual({
      agreed: true,
      counts: { requests: 2, ran: 1, refused: 0, denied: 0 },
      differences: [],
    })
  })

  it.each<[string, Partial<AdapterRecord>, string]>([
    [
      'another system prompt',
      {
        requests: [
          { ...FIRST, system: 'Be quick.' },
          { ...SECOND, system: 'Be quick.' },
        ],
      },
      'request 1: system prompt',
    ],
    [
      'a tool that is worded otherwise',
      { requests: [FIRST, { ...SECOND, tools: [{ ...TOOL, description: 'Reads.' }] }] },
      'request 2: tool Read',
    ],
    [
      'a result that is shown otherwise',
      second({ 2: { text: 'content' } }),
      'request 2: message 3, result of Read (call_1_1)',
    ],
    ['a message that was rewritten later', second({ 0: { text: 'Go on.' } }), 'request 2: message 1, of the user'],
    ['a run with another input', { runs: [{ callId: 'call_1_1', tool: 'Read', input: {} }] }, 'run of Read (call_1_1)'],
    ['a run that is missing', { runs: [] }, 'run of Read (call_1_1)'],
    [
      'another question',
      { consents: [{ callId: 'call_1_1', skill: 'pdf', text: 'Sure?', approved: true }] },
      'consent for call_1_1',
    ],
    ['another file', { files: { a: 'content' } }, 'file a'],
    ['a file more', { files: { a: 'content of a', b: '' } }, 'file b'],
    ['another answer', { answer: 'Well.' }, 'answer'],
  ])('[DEMO-1] says where there is %s, once, and who is alone with it', (_, changes, where) => {
    const { agreed, differences } = compareRuns([record('a'), record('b', changes), record('c')])
    expect(agreed).toBe(false)
    expect(differences.map((difference) => difference.where)).toEqual([where])
    expect(differences[0]!.groups.map(({ adapters }) => adapters)).toEqual([['a', 'c'], ['b']])
  })

  it('[DEMO-1] says what a request more, or a tool more, brought', () => {
    const more = compareRuns([record('a', { requests: [FIRST] }), record('b')])
    expect(more.differences.map(({ where }) => where)).toEqual([
      'request 2: message 2, of the assistant',
      'request 2: message 3, result of Read (call_1_1)',
    ])
    const bash = { ...TOOL, name: 'Bash' }
    const offered = compareRuns([record('a'), record('b', { requests: [FIRST, { ...SECOND, tools: [TOOL, bash] }] })])
    expect(offered.differences.map(({ where }) => where)).toEqual(['request 2: tools', 'request 2: tool Bash'])
    expect(offered.differences[0]!.groups).toEqual([{ adapters: ['a'] }, { adapters: ['b'], value: '["Read","Bash"]' }])
  })
})

describe('compareListings', () => {
  it('[DEMO-1] compares what was shown at first, and leaves to a live model what it did then', () => {
    const other = record('b', { requests: [FIRST], runs: [], consents: [], answer: 'No.', files: {} })
    expect(compareListings([record('a'), other]).agreed).toBe(true)
    const { differences } = compareListings([record('a'), record('b', { requests: [{ ...FIRST, tools: [] }] })])
    expect(differences.map(({ where }) => where)).toEqual(['request 1: tools', 'request 1: tool Read'])
  })
})
