import { hostChecks, runHostProfile } from '@repertoire/conformance/host'
import { expect, it, vi } from 'vitest'
import { myHost } from './host-example.ts'

it('[CONF-7] shows on a page a driver of twenty lines, whose host passes every check', async () => {
  const { results, hosts } = await runHostProfile({ hosts: [myHost] })
  expect(hosts).toEqual([{ name: 'my agent', version: '1.0.0', documentation: 'https://example.com/docs/skills' }])
  expect(results.filter(({ status }) => status !== 'pass' && status !== 'told')).toEqual([])
  expect(results).toHaveLength(hostChecks.length)
  expect(results.find(({ id }) => id === 'consent-no-obeyed')?.documented).toContain('asks before')
}, 60_000)

it('[CONF-7] shows on a page how a program judges a host, and writes the report', async () => {
  const written = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { exitCode } = process
  try {
    await import('./host-run-example.ts')
    expect(process.exitCode).toBe(0)
    expect(written.mock.calls[0]?.[0]).toMatch(/^# Conformance\n[^]*\| listing-folded-text \|/)
  } finally {
    process.exitCode = exitCode
    written.mockRestore()
  }
}, 60_000)
