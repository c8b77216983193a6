import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMissing } from '@repertoire/test-servers'
import { expect, it, onTestFinished } from 'vitest'
import { countWords } from './how-to-scripts-example.ts'

it.skipIf(isMissing('bubblewrap'))(
  '[RUN-8, ADPT-4] the program of the how-to page runs the script of a skill in a sandbox (needs bubblewrap)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'how-to-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'word-counter/scripts'), { recursive: true })
    const text = '---\nname: word-counter\ndescription: Counts words.\n---\nRun scripts/count.sh with the text.\n'
    writeFileSync(join(folder, 'word-counter/SKILL.md'), text)
    writeFileSync(join(folder, 'word-counter/scripts/count.sh'), '#!/bin/sh\necho "$1" | wc -w\n')
    chmodSync(join(folder, 'word-counter/scripts/count.sh'), 0o755)
    expect(await countWords(folder, 'one two three')).toContain('3')
  },
)
