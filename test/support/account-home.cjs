'use strict';

// Required before the program: the user database names the home folder of the test.
const os = require('node:os');
const { userInfo } = os;
os.userInfo = (...given) => ({ ...userInfo(...given), homedir: process.env.HOME });
