import { expect, test } from 'vitest'
import { renderJson } from '../../src/report/json.ts'
import { renderJUnit } from '../../src/report/junit.ts'
import { renderMarkdown } from '../../src/report/markdown.ts'
import type { Report } from '../../src/report/report.ts'
import { renderTerminal } from '../../src/report/terminal.ts'

const body = { id: 'activation-body', level: 'MUST', title: '[CONF-7] shows instructions whole' } as const
const place = { id: 'told-list-place', level: 'INFO', title: '[CONF-7] where the list is shown' } as const

/** A report of two hosts, with a result of every status that hosts have. */
const report: Report = {
  adapters: ['one', 'two'],
  hosts: [
    { name: 'one', version: '1.2.0', documentation: 'https://example.com/one' },
    { name: 'two', version: '0.9.1', documentation: 'https://example.com/two' },
  ],
  checks: [
    { ...body, area: 'activation' },
    { ...place, area: 'told' },
  ],
  results: [
    { ...body, adapter: 'one', status: 'fail', reason: 'expected <all>, saw "a"', documented: '"Bodies are cut."' },
    { ...place, adapter: 'one', status: 'told', reason: 'In the system prompt.' },
    { ...body, adapter: 'two', status: 'pass', documented: 'Nothing.' },
    { ...place, adapter: 'two', status: 'n/a', reason: 'It lists nothing.' },
  ],
}

test('[CONF-7] shows hosts in a terminal with versions, what is not judged, and what the documentation says of a failure', () => {
  const text = renderTerminal(report)
  expect(text).toContain('i one  told-list-place\n    In the system prompt.\n')
  expect(text).toContain(
    '✗ one  activation-body\n    expected <all>, saw "a"\n    Its documentation: "Bodies are cut."\n',
  )
  expect(text).toContain('one 1.2.0, https://example.com/one\n')
  expect(text.endsWith('\none: ✗ 1 failed, i 1 not judged\ntwo: ✓ 1 passed, – 1 not applicable\n')).toBe(true)
})

test('[CONF-7] writes hosts as Markdown with a note for each fact and for the documentation', () => {
  const text = renderMarkdown(report)
  expect(text).toContain(
    '| told-list-place | \\[CONF-7\\] where the list is shown | INFO | i <sup>1</sup> | – <sup>3</sup> |',
  )
  expect(text).toContain('1. i **one**, told-list-place: In the system prompt.')
  expect(text).toContain('- two 0.9.1, https://example.com/two')
  expect(text).toContain(
    '4. ✗ **one**, activation-body: expected &lt;all&gt;, saw "a"<br>Its documentation: "Bodies are cut."',
  )
  expect(text).not.toContain('known')
})

test('[CONF-7] gives programs the hosts, and build servers what is told as output', () => {
  expect(JSON.parse(renderJson(report))).toMatchObject({ hosts: report.hosts, results: report.results })
  const xml = renderJUnit(report)
  expect(xml).toContain('<testsuites name="conformance" tests="4" failures="1" errors="0" skipped="1">')
  expect(xml).toContain('<system-out>In the system prompt.</system-out>')
  expect(xml).toContain('<system-out>Its documentation: Nothing.</system-out>')
})
