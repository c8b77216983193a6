import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore } from '@repertoire/library'
import { storeContract } from '@repertoire/library/testing'
import { describe, it } from 'vitest'

storeContract(
  {
    name: 'files',
    async prepare() {
      const folder = await mkdtemp(join(tmpdir(), 'repertoire-library-'))
      return {
        open: () => openFileStore({ root: join(folder, 'a', 'skills'), layer: 'personal' }),
        remove: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })),
      }
    },
  },
  { describe, it },
)
