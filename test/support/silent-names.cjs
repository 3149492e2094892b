'use strict';

// Required before the program: no name server ever answers.
require('node:dns').lookup = () => setTimeout(() => undefined, 60_000);
