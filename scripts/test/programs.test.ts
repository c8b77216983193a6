import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HARMLESS_PROGRAMS } from '@repertoire/gate/internal/programs'
import { renderProgram } from '../programs-table.ts'

const page = join(import.meta.dirname, '../../docs/programs.md')

test('[GATE-15] the page on programs lists the options that the gate reads; `npm run programs` writes it', async () => {
  const [text = ''] = readFileSync(page, 'utf8').split(/(?<=^<!-- programs:begin -->\n)/m)
  const programs = HARMLESS_PROGRAMS.map(renderProgram).join('\n')
  await expect(`${text}\n${programs}\n<!-- programs:end -->\n`).toMatchFileSnapshot(page)
})
