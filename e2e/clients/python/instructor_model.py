import os
import instructor
from openai import OpenAI
from pydantic import BaseModel


class Signs(BaseModel):
    signs: list[str]


client = instructor.from_openai(
    OpenAI(base_url="http://localhost:3000/v1", api_key=os.environ["FOOTNOTE_API_KEY"]),
    mode=instructor.Mode.JSON_SCHEMA,
)
signs, completion = client.chat.completions.create_with_completion(
    model="gpt-5-mini",
    response_model=Signs,
    messages=[{"role": "user", "content": "What are the signs of a stroke?"}],
    extra_body={"citations": {"enabled": True, "required": True}},
)
print(signs.signs)
print(completion.citations[0]["title"])

# Checks
assert signs.signs == ["droop"]
assert completion.warnings[0]["code"] == "json_not_cited"
