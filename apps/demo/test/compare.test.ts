import { describe, expect, it } from 'vitest'
import { compareRecords } from '../src/compare.ts'
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
    toolRuns: [{ callId: 'call_1_1', tool: 'Read', input: { file_path: 'a', from: 1 } }],
    run: { steps: [], calls: [] },
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

describe('compareRecords', () => {
  it('[DEMO-1, ADPT-8] does not compare the tools of a framework that cannot hide any', () => {
    const tools = [{ ...TOOL, name: 'Write' }, TOOL]
    const requests = [FIRST, SECOND].map((request) => ({ ...request, tools }))
    const kept = record('b', { requests, hidesTools: false })
    expect(compareRecords([record('a'), kept]).agreed).toBe(true)
    expect(compareRecords([record('a'), record('c', { requests }), kept]).agreed).toBe(false)
    const other = requests.map((request) => ({ ...request, system: 'Be quick.' }))
    expect(compareRecords([record('a'), { ...kept, requests: other }]).differences[0]).toMatchObject({
      where: 'request 1: system prompt',
    })
  })

  it('[DEMO-1] finds that runs agree, whatever the order of keys and the spelling of arguments', () => {
    const [call] = SECOND.messages[1]!.calls!
    const calls = [{ ...call!, arguments: '{ "from": 1, "file_path": "a" }' }]
    const other = record('b', {
      ...second({ 1: { calls } }),
      toolRuns: [{ tool: 'Read', input: { from: 1, file_path: 'a' }, callId: 'call_1_1' }],
    })
    expect(compareRecords([record('a'), other, record('c')])).toMatchObject({ agreed: true, differences: [] })
  })

  it.each<[string, Partial<AdapterRecord>, string]>([
    ['another system prompt', { requests: [FIRST, { ...SECOND, system: 'Be quick.' }] }, 'request 2: system prompt'],
    [
      'a tool in other words',
      { requests: [FIRST, { ...SECOND, tools: [{ ...TOOL, description: 'Reads.' }] }] },
      'request 2: tools',
    ],
    ['another result', second({ 2: { text: 'content' } }), 'request 2: messages'],
    ['a tool that did not run', { toolRuns: [] }, 'tools that ran'],
    ['another file', { files: { a: 'content' } }, 'file a'],
    ['a file more', { files: { a: 'content of a', b: '' } }, 'file b'],
    ['another answer', { answer: 'Well.' }, 'answer'],
  ])('[DEMO-1] says where there is %s, and who is alone with it', (_, changes, where) => {
    const { agreed, differences } = compareRecords([record('a'), record('b', changes), record('c')])
    expect(agreed).toBe(false)
    expect(differences).toEqual([{ where, groups: [['a', 'c'], ['b']] }])
  })
})
