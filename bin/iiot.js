#!/usr/bin/env node
'use strict';

const done = require('../dist/launch.cjs').launch(process, `${__dirname}/../dist`);

// Who has pressed Tab does not wait for a name server that gives no answer.
if (process.argv[2] === '__complete') done.then(() => process.exit());
