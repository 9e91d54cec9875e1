"""`python -m tests.services [PYTEST ARGUMENTS]`: the quick suite on PostgreSQL and Redis, not on SQLite and
local memory, with more made-up inputs; then the tests beside this file. Starts both itself; needs what
.ci/run installs."""

import os
import subprocess
import sys

from .parts import cache_url, database_url, running_postgres, running_redis

QUICK_SUITE = ["--ignore=tests/services", "--hypothesis-profile=thorough"]

with running_postgres() as postgres, running_redis() as redis:
    environment = os.environ | {"DATABASE_URL": database_url(postgres), "TEST_CACHE_URL": cache_url(redis)}
    code = 0
    for arguments in (sys.argv[1:] or QUICK_SUITE, ["tests/services", "-n", "2"]):
        code = subprocess.call([sys.executable, "-m", "pytest", *arguments], env=environment) or code
sys.exit(code)
