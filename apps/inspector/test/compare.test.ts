import { expect, it } from 'vitest'
import { compareRuns } from '../src/model/compare.ts'
import { runOf, SAMPLE, shown, type Written } from './log.ts'

it('[SEE-3] equal runs are one group in every row, and a call that ran where another was refused splits its row', () => {
  const run = runOf(SAMPLE)
  expect(compareRuns([run, runOf(SAMPLE), runOf(SAMPLE)]).rows.every((row) => row.length === 1)).toBe(true)
  const faulty = runOf(
    SAMPLE.map((event) =>
      event.callId === 'call_3' ? { ...event, type: 'tool.finished', outcome: 'succeeded', code: undefined } : event,
    ).filter(({ callId }) => callId !== 'call_7'),
  )
  const rows = compareRuns([run, faulty, runOf(SAMPLE)]).rows.filter((row) => row.length > 1)
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
  expect(compareRuns([again]).rows.map(([group]) => [group?.cell?.number, group?.cell?.text])).toEqual([
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
  const { rows } = compareRuns([one, other])
  expect(rows.map((row) => row.map(({ runs, cell }) => [runs, cell?.text]))).toEqual([
    [[[0, 1], 'Write  z']],
    [[[0, 1], 'Write  a']],
  ])
})

it('[SEE-3] runs that differ in everything stand in their order, and the page says what is not compared', () => {
  const callsOf = (tool: string, count: number) =>
    runOf(
      Array.from({ length: count }, (_, index) => ({
        type: 'tool.started',
        callId: `${tool}-${index}`,
        tool: `${tool}-${index}`,
        outcome: 'started',
      })),
    )
  const { rows, cut, isAligned } = compareRuns([callsOf('a', 20_010), callsOf('b', 20_001)])
  expect({ rows: rows.length, cut, isAligned }).toEqual({ rows: 20_000, cut: 11, isAligned: false })
  expect(rows[0]?.map(({ cell }) => cell?.text)).toEqual(['a-0', 'b-0'])
  expect(compareRuns([callsOf('a', 2), callsOf('b', 3)])).toMatchObject({ cut: 0, isAligned: true })
})
