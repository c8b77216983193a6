import { storeContract } from '@repertoire/library/testing'
import { startS3, type S3Server } from '@repertoire/test-servers'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openSkillStores, s3Engine } from '../src/index.ts'

const credentials = { accessKeyId: 'test', secretAccessKey: 'secret' }
let server: S3Server
let number = 0
beforeAll(async () => {
  server = await startS3({ pageSize: 5 })
})
afterAll(() => server.close())

storeContract(
  {
    name: 'S3, over a server of our own',
    prepare() {
      const prefix = `skills/${number++}`
      return {
        async open() {
          const engine = s3Engine({ bucket: server.bucket, credentials, prefix, pollInterval: 100 })
          return (await openSkillStores({ engine, layer: 'personal' })).tenant('acme')
        },
      }
    },
  },
  { describe, it },
)
