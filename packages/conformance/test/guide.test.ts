import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runConformance, unexpected } from '../src/index.ts'
import { driver } from './guide-driver.ts'

describe('docs/adapters.md', () => {
  it('[CONF-2] shows the adapter and the driver that are judged here', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../../docs/adapters.md'), 'utf8')
    const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
    const files = ['guide-agent.ts', 'guide-driver.ts'].map((name) => readFile(join(import.meta.dirname, name), 'utf8'))
    expect(blocks).toEqual(await Promise.all(files))
  })

  it('[CONF-2, ADPT-4] shows an adapter that passes every check that it does not declare absent', async () => {
    const report = await runConformance({ drivers: [driver] })
    expect(unexpected(report)).toEqual([])
    expect(report.results.filter(({ status }) => status === 'pass').length).toBeGreaterThan(100)
  })
})
