import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { INPUTS_FILE, inputDigests, PICTURES_FOLDER } from '../src/picture-inputs.ts'

it('[SEE-5] the pictures of the documents are made from the sources as they are: run "npm run pictures"', () => {
  expect(JSON.parse(readFileSync(INPUTS_FILE, 'utf8'))).toEqual(inputDigests())
})

it('[SEE-5] the pictures are there in both themes, each below 200 kB', () => {
  for (const name of ['run', 'compare', 'terminal']) {
    for (const theme of ['light', 'dark']) {
      expect(statSync(join(PICTURES_FOLDER, `${name}-${theme}.png`)).size).toBeLessThan(200_000)
    }
  }
})
