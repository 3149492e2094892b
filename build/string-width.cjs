/** Stands in for the older string-width that cli-table3 brings: one measure for the widths and for the drawing. */
module.exports = require('../src/output/text-width.ts').textWidth;
