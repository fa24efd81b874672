# The counterpart of fixtures/seeds/hello-world/tests/checks.ts for the original.

import rewardkit as rk

rk.file_exists("answer.txt")


@rk.criterion
def exact_answer(workspace):
    answer = workspace / "answer.txt"
    return answer.exists() and answer.read_text() == "Hello, world!\n"
