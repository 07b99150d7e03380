// Go wants such a file beside a function without a body: withBackoff.
