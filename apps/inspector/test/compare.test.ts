import { expect, it } from 'vitest'
import { compareRuns } from '../src/model/compare.ts'
import { runOf, SAMPLE, shown, type Written } from './log.ts'

it('[SEE-3] equal runs are one group in every row, and a call that ran where another was refused splits its row', () => {
  const run = runOf(SAMPLE)
  expect(compareRuns([run, runOf(SAMPLE), runOf(SAMPLE)]).every((row) => row.length === 1)).toBe(true)
  const faulty = runOf(
    SAMPLE.map((event) =>
      event.callId === 'call_3' ? { ...event, type: 'tool.finished', outcome: 'succeeded', code: undefined } : event,
    ).filter(({ callId }) => callId !== 'call_7'),
  )
  const rows = compareRuns([run, faulty, runOf(SAMPLE)]).filter((row) => row.length > 1)
  expect(rows.map((row) => row.map(({ runs, cell }) => [runs, cell?.status, cell?.code]))).toEqual([
    [
      [[0, 2], 'refused', 'TOOL_NOT_ALLOWED'],
      [[1], 'ran', ''],
    ],
    [
      [[0, 2], 'ran', ''],
      [[1], undefined, undefined],
    ],
  ])
})

it('[SEE-3] a comparison has a row for what a step was shown only if that changed', () => {
  const again = runOf([shown(1), shown(2, { digest: 'b'.repeat(64) }), shown(3, { tools: ['Read'] })])
  expect(compareRuns([again]).map(([group]) => [group?.cell?.number, group?.cell?.text])).toEqual([
    [1, '2 skills, 4 tools'],
    [3, 'No longer offered: Write, runCommand, activate_skill'],
  ])
})

it('[SEE-3] a comparison keeps the order in which the first run made its calls', () => {
  const started = (callId: string, inputDigest: string): Written => ({
    type: 'tool.started',
    callId,
    tool: 'Write',
    outcome: 'started',
    input: { file_path: inputDigest, content: 'x' },
    inputDigest,
  })
  const one = runOf([started('1', 'z'), started('2', 'a')])
  const other = runOf([started('8', 'a'), started('9', 'z')])
  const rows = compareRuns([one, other])
  expect(rows.map((row) => row.map(({ runs, cell }) => [runs, cell?.text]))).toEqual([
    [[[0, 1], 'Write  z']],
    [[[0, 1], 'Write  a']],
  ])
})

it('[SEE-3] runs that differ in everything stand in their order', () => {
  const callsOf = (tool: string, count: number) =>
    runOf(
      Array.from({ length: count }, (_, index) => ({
        type: 'tool.started',
        callId: `${tool}-${index}`,
        tool: `${tool}-${index}`,
        outcome: 'started',
      })),
    )
  const rows = compareRuns([callsOf('a', 20_001), callsOf('b', 20_010)])
  expect(rows).toHaveLength(20_010)
  expect(rows[0]?.map(({ cell }) => cell?.text)).toEqual(['a-0', 'b-0'])
  expect(rows.at(-1)?.map(({ cell }) => cell?.text)).toEqual([undefined, 'b-9999'])
})
