export { runs } from '@repertoire/test-servers/properties'
