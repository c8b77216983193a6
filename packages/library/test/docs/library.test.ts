import { expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { keepCounter, openLibrary } from './library-example.ts'

it('[LIB-2, ADPT-4] the program of the page keeps a script, and the catalog has it', async () => {
  const library = await openLibrary(temporaryFolder())
  try {
    await keepCounter(library)
    expect(library.repertoire.catalog.get('count-words').manifest.type).toBe('script')
  } finally {
    await library.repertoire.close()
  }
})
