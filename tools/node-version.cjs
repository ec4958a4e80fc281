/** Loaded before every program of the repository (package.json). */
const { needNode } = require('../packages/cli/src/node-version.cjs')

needNode(require('../packages/server/package.json'))
