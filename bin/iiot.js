#!/usr/bin/env node
'use strict';

require('../dist/launch.cjs').launch(process, `${__dirname}/../dist`);
