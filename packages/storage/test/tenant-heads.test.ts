import { expect, it } from 'vitest'
import type { StorageEngine } from '../src/index.ts'
import { headText } from '../src/heads/head.ts'
import { tenantHeads } from '../src/heads/tenant-heads.ts'

it('[LIB-8] an answer in parts that ends in the middle is not gone on with: what is known stays, and the next question is a new one', async () => {
  const text = headText({ files: new Map(), writes: ['v'] })
  const asked: unknown[] = []
  let fails = true
  const changes: StorageEngine['changes'] = (_, from) => {
    asked.push(from)
    if (from === undefined) {
      const heads = new Map([['a', { token: '1', text }]])
      return Promise.resolve({ cursor: 'after a', rest: 'b and more', isWhole: true, heads })
    }
    if (fails) return Promise.reject(new Error('The connection was lost.'))
    return Promise.resolve({ cursor: 'all', isWhole: false, heads: new Map([['b', { token: '2', text }]]) })
  }
  const heads = tenantHeads({ changes } as StorageEngine, 'acme', (run) => run())
  await expect(heads()).rejects.toThrow('lost')
  fails = false
  expect([...(await heads()).keys()]).toEqual(['a', 'b'])
  await heads()
  expect(asked).toEqual([undefined, 'b and more', 'after a', 'all'])
})
