export { foreign } from '@repertoire/test-servers/properties'
